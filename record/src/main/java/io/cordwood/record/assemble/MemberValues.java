package io.cordwood.record.assemble;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.record.buffer.MemberColumn;
import io.cordwood.record.buffer.MemberList;
import io.cordwood.record.buffer.MemoryMeter;
import io.cordwood.record.buffer.TextLane;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.json.JsonNumbers;
import java.util.List;

/**
 * The values of one member name in one buffer, from a column or from the list, with the position of each among the
 * sorted rows. Not thread-safe.
 */
final class MemberValues {
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);

    private final MemberColumn column;
    private final int[] positions;

    MemberValues(MemberColumn column, int[] positions) {
        this.column = column;
        this.positions = positions;
    }

    /** Converts the values of a list to a column. */
    static MemberValues ofList(String name, MemberList list, List<Integer> entries, int[] positions) {
        MemberColumn column = new MemberColumn(name, 0, true, new MemoryMeter());
        for (int entry : entries) {
            TextLane text = list.values();
            int from = text.slotStart(entry);
            int to = text.slotEnd(entry);
            switch (list.kind(entry)) {
                case INTEGER ->
                    column.addBits(
                            list.row(entry),
                            ValueKind.INTEGER,
                            Long.parseLong(JsonNumbers.string(text.bytes(), from, to)));
                case BOOLEAN -> column.addBits(list.row(entry), ValueKind.BOOLEAN, text.bytes()[from] == 't' ? 1 : 0);
                default -> column.addText(list.row(entry), list.kind(entry), text.bytes(), from, to);
            }
        }
        return new MemberValues(column, positions);
    }

    int count() {
        return column.count();
    }

    /** Position among the sorted rows, or -1 for a row left out. */
    int position(int index) {
        return positions[column.row(index)];
    }

    ValueKind kind(int index) {
        return column.kind(index);
    }

    boolean isAll(ValueKind kind) {
        return column.isUniform() && column.kind(0) == kind;
    }

    boolean isAllText() {
        return column.isUniform() && column.kind(0).isText();
    }

    long bits(int index) {
        return column.bits(index);
    }

    /** The text of the values; only if all are text. */
    TextLane text() {
        return column.text();
    }

    double toDouble(int index) {
        TextLane text = column.text();
        int slot = text.slot(index);
        return JsonNumbers.toDouble(text.bytes(), text.slotStart(slot), text.slotEnd(slot));
    }

    /** The same values with each as text. */
    MemberValues asText() {
        if (isAllText()) {
            return this;
        }
        MemberColumn texts = new MemberColumn(column.name(), 0, true, new MemoryMeter());
        for (int i = 0; i < count(); i++) {
            int index = i;
            withText(i, (bytes, from, to) -> texts.addText(column.row(index), ValueKind.TEXT, bytes, from, to));
        }
        return new MemberValues(texts, positions);
    }

    /** Passes on a value as text: the string itself, or else the JSON text. */
    void withText(int index, TextConsumer consumer) {
        switch (column.kind(index)) {
            case INTEGER -> {
                byte[] text = Long.toString(column.bits(index)).getBytes(US_ASCII);
                consumer.accept(text, 0, text.length);
            }
            case BOOLEAN -> {
                byte[] text = column.bits(index) != 0 ? TRUE : FALSE;
                consumer.accept(text, 0, text.length);
            }
            default -> {
                TextLane text = column.text();
                int slot = text.slot(index);
                consumer.accept(text.bytes(), text.slotStart(slot), text.slotEnd(slot));
            }
        }
    }

    /** Accepts the text {@code [from, to)} of an array. */
    interface TextConsumer {
        void accept(byte[] bytes, int from, int to);
    }
}
