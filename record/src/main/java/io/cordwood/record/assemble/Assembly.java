package io.cordwood.record.assemble;

import static io.cordwood.logblock.schema.LogBlockSchema.ATTRIBUTES;
import static io.cordwood.logblock.schema.LogBlockSchema.KAFKA_OFFSET;
import static io.cordwood.logblock.schema.LogBlockSchema.KAFKA_ORDINAL;
import static io.cordwood.logblock.schema.LogBlockSchema.KAFKA_PARTITION;
import static io.cordwood.logblock.schema.LogBlockSchema.KAFKA_TOPIC_ID;
import static io.cordwood.logblock.schema.LogBlockSchema.TENANT_ID;
import static io.cordwood.logblock.schema.LogBlockSchema.TS;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.record.buffer.ColumnNames;
import io.cordwood.record.buffer.MemberColumn;
import io.cordwood.record.buffer.MemberList;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.TextLane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One call of {@link RowAssembler#assemble}. Not thread-safe. */
final class Assembly {
    private final LogBlockSchema table;
    private final RowOrder order;
    private final int rows;
    private final Attributes attributes;
    private final TypedColumns typed;
    private final Map<String, ColumnType> types = new HashMap<>();
    /** By member name, in the order of the buffers. */
    private final Map<String, List<MemberValues>> members = new LinkedHashMap<>();

    Assembly(LogBlockSchema table, RowOrder order) {
        this.table = table;
        this.order = order;
        this.rows = order.rows();
        this.attributes = new Attributes(rows);
        this.typed = new TypedColumns(rows, attributes);
        for (Column column : table.columns()) {
            types.put(column.name(), column.type());
        }
    }

    AssembledRows rows(String tenantId, String topicId, int partition) {
        addOriginalTimes();
        collectMembers();
        Vector[] vectors = new Vector[table.columns().size()];
        int attributesAt = -1;
        for (int i = 0; i < vectors.length; i++) {
            Column column = table.columns().get(i);
            switch (column.name()) {
                case ATTRIBUTES -> attributesAt = i;
                case TS -> vectors[i] = new LongVector(order.times(), rows, NullMask.none());
                case TENANT_ID -> vectors[i] = VarcharColumns.constant(rows, tenantId.getBytes(UTF_8));
                case KAFKA_TOPIC_ID -> vectors[i] = VarcharColumns.constant(rows, topicId.getBytes(UTF_8));
                case KAFKA_PARTITION -> vectors[i] = partitions(partition);
                case KAFKA_OFFSET -> vectors[i] = offsets();
                case KAFKA_ORDINAL -> vectors[i] = ordinals();
                default -> vectors[i] = memberColumn(column);
            }
        }
        refuseOthers();
        // Last, because every other column can have sent values there.
        MapVector map = attributes.toVector();
        if (attributesAt < 0) {
            throw new IllegalArgumentException("The table has no column '%s'".formatted(ATTRIBUTES));
        }
        vectors[attributesAt] = map;
        return new AssembledRows(DaySplitter.split(order.times(), Arrays.asList(vectors)), typed.degraded());
    }

    private Vector memberColumn(Column column) {
        String name = column.name();
        if (isTwin(name)) {
            String bigint = ColumnNames.twinOf(name);
            return typed.twin(bigint, members.getOrDefault(bigint, List.of()));
        }
        boolean hasTwin =
                column.type() == ColumnType.BIGINT && types.get(ColumnNames.doubleTwin(name)) == ColumnType.DOUBLE;
        List<MemberValues> values = takesMembers(name) ? members.getOrDefault(name, List.of()) : List.of();
        return typed.column(name, column.type(), hasTwin, values);
    }

    private boolean isTwin(String name) {
        return ColumnNames.isTwinName(name)
                && types.get(name) == ColumnType.DOUBLE
                && types.get(ColumnNames.twinOf(name)) == ColumnType.BIGINT;
    }

    /** Whether members of this name have a column. */
    private boolean takesMembers(String name) {
        return types.containsKey(name) && !ColumnNames.isReserved(name) && !isTwin(name);
    }

    /** Runs first, so that these members get the plain key. */
    private void addOriginalTimes() {
        for (int b = 0; b < order.buffers(); b++) {
            MemberList list = order.buffer(b).others();
            for (int i = 0; i < list.count(); i++) {
                int position = order.positions(b)[list.row(i)];
                if (list.isOriginalTime(i) && position >= 0) {
                    addToAttributes(list, i, position);
                }
            }
        }
    }

    private void collectMembers() {
        for (int b = 0; b < order.buffers(); b++) {
            RowBuffer buffer = order.buffer(b);
            int[] positions = order.positions(b);
            for (MemberColumn column : buffer.columns()) {
                if (column.count() > 0) {
                    members.computeIfAbsent(column.name(), name -> new ArrayList<>())
                            .add(new MemberValues(column, positions));
                }
            }
            collectListed(buffer.others(), positions);
        }
    }

    /** Takes only names with a column: there may be very many without. */
    private void collectListed(MemberList list, int[] positions) {
        if (list.count() == 0) {
            return;
        }
        Map<String, List<Integer>> entries = new LinkedHashMap<>();
        for (int i = 0; i < list.count(); i++) {
            if (!list.isAttribute(i) && takesMembers(list.name(i))) {
                entries.computeIfAbsent(list.name(i), name -> new ArrayList<>()).add(i);
            }
        }
        entries.forEach((name, ofName) -> members.computeIfAbsent(name, key -> new ArrayList<>())
                .add(MemberValues.ofList(name, list, ofName, positions)));
    }

    private void refuseOthers() {
        members.forEach((name, values) -> {
            if (!takesMembers(name)) {
                values.forEach(value -> typed.refuseAll(name, value));
            }
        });
        for (int b = 0; b < order.buffers(); b++) {
            MemberList list = order.buffer(b).others();
            refuse(list, order.positions(b), false);
            refuse(list, order.positions(b), true);
        }
    }

    /**
     * Sends members without a column before values that always go to {@code attributes}, so that the former get the
     * plain key.
     */
    private void refuse(MemberList list, int[] positions, boolean ofAttributes) {
        for (int i = 0; i < list.count(); i++) {
            int position = positions[list.row(i)];
            if (position < 0 || list.isAttribute(i) != ofAttributes || list.isOriginalTime(i)) {
                continue;
            }
            String name = list.name(i);
            if (ofAttributes || !takesMembers(name)) {
                addToAttributes(list, i, position);
                typed.count(name, 1);
            }
        }
    }

    private void addToAttributes(MemberList list, int index, int position) {
        TextLane names = list.names();
        int name = names.slot(index);
        TextLane values = list.values();
        attributes.add(
                position,
                names.bytes(),
                names.slotStart(name),
                names.slotEnd(name),
                values.bytes(),
                values.slotStart(index),
                values.slotEnd(index));
    }

    private Vector partitions(int partition) {
        long[] values = new long[rows];
        Arrays.fill(values, partition);
        return new LongVector(values, rows, NullMask.none());
    }

    private Vector offsets() {
        long[] values = new long[rows];
        for (int b = 0; b < order.buffers(); b++) {
            int[] positions = order.positions(b);
            for (int row = 0; row < positions.length; row++) {
                if (positions[row] >= 0) {
                    values[positions[row]] = order.buffer(b).offset(row);
                }
            }
        }
        return new LongVector(values, rows, NullMask.none());
    }

    private Vector ordinals() {
        long[] values = new long[rows];
        for (int b = 0; b < order.buffers(); b++) {
            int[] positions = order.positions(b);
            for (int row = 0; row < positions.length; row++) {
                if (positions[row] >= 0) {
                    values[positions[row]] = order.buffer(b).ordinal(row);
                }
            }
        }
        return new LongVector(values, rows, NullMask.none());
    }
}
