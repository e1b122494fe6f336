package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.ValueKind;
import java.util.Arrays;

/**
 * The members that several rows share: those of an OTLP resource or scope. They are decoded once and written to each
 * row. Takes little more memory than the bytes of their names and values, however many they are. Not thread-safe.
 */
final class SharedMembers implements MemberSink {
    /** A name takes some 200 bytes besides its text: of further members only the text is kept. */
    private static final int MAX_NAMES = 4096;

    private static final int KEPT_MEMBERS = 1024;
    private static final int KEPT_BYTES = 1 << 20;
    /** Memory of a member in a row, besides its name and value. */
    private static final int ROW_BYTES = 8;

    private static final MemberName ROOT = MemberName.root();

    /** By member, as far as they are kept. */
    private MemberName[] names = new MemberName[16];
    /** By member: its kind; null for an empty object. */
    private ValueKind[] kinds = new ValueKind[16];
    /** By member: its bits, or the end of its text. */
    private long[] bits = new long[16];

    private int count;
    /** The values that are text; after the first {@link #MAX_NAMES} members, names too, each before its value. */
    private byte[] texts = new byte[256];

    private int length;
    /** By member after the first {@link #MAX_NAMES}: the length of its name. */
    private int[] nameLengths = new int[0];
    /** What a row is charged for the members. */
    private long bytes;

    /** Removes all members; releases the memory of many. */
    void clear() {
        count = 0;
        length = 0;
        bytes = 0;
        if (names.length > KEPT_MEMBERS) {
            names = new MemberName[16];
            kinds = new ValueKind[16];
            bits = new long[16];
            nameLengths = new int[0];
        }
        if (texts.length > KEPT_BYTES) {
            texts = new byte[256];
        }
    }

    @Override
    public void text(MemberName name, ValueKind kind, byte[] source, int from, int to) {
        int member = add(name, kind, to - from);
        put(source, from, to);
        bits[member] = length;
    }

    @Override
    public void integer(MemberName name, long value) {
        int member = add(name, ValueKind.INTEGER, Long.BYTES);
        bits[member] = value;
    }

    @Override
    public void bool(MemberName name, boolean value) {
        int member = add(name, ValueKind.BOOLEAN, 1);
        bits[member] = value ? 1 : 0;
    }

    @Override
    public void emptyObject(MemberName name) {
        add(name, null, 0);
    }

    /** Adds a member whose value takes so many bytes, and returns its number. */
    private int add(MemberName name, ValueKind kind, int valueBytes) {
        if (count == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * count);
            bits = Arrays.copyOf(bits, 2 * count);
        }
        if (count < MAX_NAMES) {
            if (count == names.length) {
                names = Arrays.copyOf(names, 2 * count);
            }
            names[count] = name;
        } else {
            int further = count - MAX_NAMES;
            if (further == nameLengths.length) {
                nameLengths = Arrays.copyOf(nameLengths, Math.max(MAX_NAMES, 2 * further));
            }
            nameLengths[further] = name.originalBytes().length;
            put(name.originalBytes(), 0, name.originalBytes().length);
        }
        kinds[count] = kind;
        bytes += ROW_BYTES + name.columnBytes().length + valueBytes;
        return count++;
    }

    private void put(byte[] source, int from, int to) {
        int size = to - from;
        if (texts.length - length < size) {
            texts = Arrays.copyOf(texts, Math.addExact(length, Math.max(size, length)));
        }
        System.arraycopy(source, from, texts, length, size);
        length += size;
    }

    /** Writes the members to a row. */
    void writeTo(RowSink row) throws UndecodableRecordException {
        row.charge(bytes);
        int from = 0;
        for (int i = 0; i < count; i++) {
            MemberName name;
            if (i < MAX_NAMES) {
                name = names[i];
            } else {
                int start = from;
                from += nameLengths[i - MAX_NAMES];
                name = name(start, from);
            }
            ValueKind kind = kinds[i];
            if (kind == null) {
                row.emptyObject(name);
            } else if (kind == ValueKind.INTEGER) {
                row.integer(name, bits[i]);
            } else if (kind == ValueKind.BOOLEAN) {
                row.bool(name, bits[i] != 0);
            } else {
                int to = (int) bits[i];
                row.text(name, kind, texts, from, to);
                from = to;
            }
        }
    }

    /** A name that is not kept. It has no event time, which is no member of a resource or scope. */
    private MemberName name(int from, int to) {
        byte[] original = Arrays.copyOfRange(texts, from, to);
        return ROOT.child(original, new String(original, UTF_8), true);
    }
}
