package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.ValueKind;
import java.util.Arrays;

/**
 * The members that several rows share: those of an OTLP resource or scope. They are decoded once and written to each
 * row. Not thread-safe.
 */
final class SharedMembers implements MemberSink {
    private static final int KEPT_MEMBERS = 1024;
    private static final int KEPT_BYTES = 1 << 20;

    private MemberName[] names = new MemberName[16];
    /** By member: its kind; null for an empty object. */
    private ValueKind[] kinds = new ValueKind[16];
    /** By member: its bits, or the end of its text. */
    private long[] bits = new long[16];

    private int count;
    private byte[] texts = new byte[256];
    private int length;
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
        }
        if (texts.length > KEPT_BYTES) {
            texts = new byte[256];
        }
    }

    @Override
    public void text(MemberName name, ValueKind kind, byte[] source, int from, int to) {
        int size = to - from;
        if (texts.length - length < size) {
            texts = Arrays.copyOf(texts, Math.addExact(length, Math.max(size, length)));
        }
        System.arraycopy(source, from, texts, length, size);
        length += size;
        bytes += size;
        add(name, kind, length);
    }

    @Override
    public void integer(MemberName name, long value) {
        add(name, ValueKind.INTEGER, value);
    }

    @Override
    public void bool(MemberName name, boolean value) {
        add(name, ValueKind.BOOLEAN, value ? 1 : 0);
    }

    @Override
    public void emptyObject(MemberName name) {
        add(name, null, 0);
    }

    private void add(MemberName name, ValueKind kind, long memberBits) {
        if (count == names.length) {
            names = Arrays.copyOf(names, 2 * count);
            kinds = Arrays.copyOf(kinds, 2 * count);
            bits = Arrays.copyOf(bits, 2 * count);
        }
        names[count] = name;
        kinds[count] = kind;
        bits[count] = memberBits;
        count++;
        bytes += name.columnBytes().length;
    }

    /** Writes the members to a row. */
    void writeTo(RowWriter row) throws UndecodableRecordException {
        row.charge(bytes);
        int from = 0;
        for (int i = 0; i < count; i++) {
            ValueKind kind = kinds[i];
            if (kind == null) {
                row.emptyObject(names[i]);
            } else if (kind == ValueKind.INTEGER) {
                row.integer(names[i], bits[i]);
            } else if (kind == ValueKind.BOOLEAN) {
                row.bool(names[i], bits[i] != 0);
            } else {
                int to = (int) bits[i];
                row.text(names[i], kind, texts, from, to);
                from = to;
            }
        }
    }
}
