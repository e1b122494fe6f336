package io.cordwood.record.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A staging area for the newest rows of a buffer, in row order, until there are enough of them to put into columns. Not
 * thread-safe.
 *
 * <p>Records of many tenants arrive interleaved. Writing each value to its column at once would touch dozens of cold
 * places in memory per row. Instead a row goes to one place, and dozens of rows go to the columns together. A tenant of
 * few rows gets no columns before it is packed.
 *
 * <p>A value is its kind, then 8 bytes, or a length and that many bytes; an attribute has the length and bytes of its
 * key in front. The names of the members are kept separately.
 */
final class RowStage {
    private static final int ENOUGH_BYTES = 8 << 10;
    private static final int KEPT_BYTES = 64 << 10;
    private static final int MANY_NAMES = 4096;
    private static final int ATTRIBUTE = 0x40;
    private static final int ORIGINAL_TIME = 0x20;
    private static final int KIND = 0x1F;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] NO_KEY = new byte[0];

    private final MemoryMeter meter;
    private byte[] bytes = new byte[0];
    private int length;
    private MemberName[] names = new MemberName[0];
    private int nameCount;
    private int rows;
    /** By row: the end of its bytes, and its names. */
    private int[] ends = new int[0];

    private int[] nameEnds = new int[0];

    RowStage(MemoryMeter meter) {
        this.meter = meter;
    }

    int rows() {
        return rows;
    }

    /** Whether the stage is full, so that its rows should go to columns. */
    boolean isFull() {
        return length >= ENOUGH_BYTES;
    }

    /** Whether the current row has so many members that they should go to columns. */
    boolean isOpenRowLarge() {
        return nameCount >= MANY_NAMES;
    }

    void addText(MemberName name, ValueKind kind, byte[] source, int from, int to) {
        addName(name);
        reserve(5L + to - from);
        bytes[length++] = kind.code();
        put(source, from, to);
    }

    void addBits(MemberName name, ValueKind kind, long bits) {
        addName(name);
        reserve(9);
        bytes[length++] = kind.code();
        LONG.set(bytes, length, bits);
        length += Long.BYTES;
    }

    void addAttribute(byte[] key, ValueKind kind, byte[] source, int from, int to) {
        addAttribute(ATTRIBUTE, key, kind, source, from, to);
    }

    void addOriginalTime(ValueKind kind, byte[] source, int from, int to) {
        addAttribute(ATTRIBUTE | ORIGINAL_TIME, NO_KEY, kind, source, from, to);
    }

    private void addAttribute(int flags, byte[] key, ValueKind kind, byte[] source, int from, int to) {
        reserve(9L + key.length + to - from);
        bytes[length++] = (byte) (kind.code() | flags);
        put(key, 0, key.length);
        put(source, from, to);
    }

    private void put(byte[] source, int from, int to) {
        int size = to - from;
        INT.set(bytes, length, size);
        System.arraycopy(source, from, bytes, length + Integer.BYTES, size);
        length += Integer.BYTES + size;
    }

    private void addName(MemberName name) {
        if (nameCount == names.length) {
            names = Arrays.copyOf(names, nameCount + (nameCount >> 1) + 8);
            meter.add((names.length - nameCount) * (long) Integer.BYTES);
        }
        names[nameCount++] = name;
    }

    private void reserve(long size) {
        long needed = length + size;
        if (needed > bytes.length) {
            if (needed > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException("A row cannot take more than 2 GB");
            }
            int held = bytes.length;
            bytes = Arrays.copyOf(bytes, (int)
                    Math.min(Integer.MAX_VALUE - 8, Math.max(needed, held + (held >> 1) + 256L)));
            meter.add(bytes.length - held);
        }
    }

    void endRow() {
        if (rows == ends.length) {
            ends = Arrays.copyOf(ends, rows + (rows >> 1) + 4);
            nameEnds = Arrays.copyOf(nameEnds, ends.length);
            meter.add((ends.length - rows) * 2L * Integer.BYTES);
        }
        ends[rows] = length;
        nameEnds[rows] = nameCount;
        rows++;
    }

    /** Removes all but the first {@code kept} rows, and the members of an unfinished row. */
    void truncate(int kept) {
        rows = kept;
        length = kept == 0 ? 0 : ends[kept - 1];
        nameCount = kept == 0 ? 0 : nameEnds[kept - 1];
    }

    /** Whether rows from one on have members that are not settled. */
    boolean hasUnsettled(int fromRow, SettledMembers settled) {
        if (fromRow >= rows) {
            return false;
        }
        int at = fromRow == 0 ? 0 : ends[fromRow - 1];
        int name = fromRow == 0 ? 0 : nameEnds[fromRow - 1];
        while (at < length) {
            int code = bytes[at++];
            ValueKind kind = ValueKind.of(code & KIND);
            if ((code & ATTRIBUTE) != 0) {
                at = skipText(skipText(at));
            } else {
                at = kind.isText() ? skipText(at) : at + Long.BYTES;
                if (!names[name++].isSettled(settled, kind)) {
                    return true;
                }
            }
        }
        return false;
    }

    private int skipText(int at) {
        return at + Integer.BYTES + (int) INT.get(bytes, at);
    }

    /** Moves the rows to columns, as rows {@code firstRow} and following; last the members of the unfinished row. */
    void moveTo(BufferedMembers members, int firstRow) {
        int at = 0;
        int name = 0;
        for (int row = 0; row <= rows; row++) {
            members.startRow(firstRow + row);
            int end = row < rows ? ends[row] : length;
            while (at < end) {
                int code = bytes[at++];
                ValueKind kind = ValueKind.of(code & KIND);
                if ((code & ATTRIBUTE) != 0) {
                    at = moveAttribute(code, kind, at, members);
                } else if (kind.isText()) {
                    int from = at + Integer.BYTES;
                    at = from + (int) INT.get(bytes, at);
                    members.addText(names[name++], kind, bytes, from, at);
                } else {
                    members.addBits(names[name++], kind, (long) LONG.get(bytes, at));
                    at += Long.BYTES;
                }
            }
        }
        Arrays.fill(names, 0, nameCount, null);
        clear();
    }

    private int moveAttribute(int code, ValueKind kind, int at, BufferedMembers members) {
        int keyFrom = at + Integer.BYTES;
        int keyTo = keyFrom + (int) INT.get(bytes, at);
        int from = keyTo + Integer.BYTES;
        int to = from + (int) INT.get(bytes, keyTo);
        if ((code & ORIGINAL_TIME) != 0) {
            members.addOriginalTime(kind, bytes, from, to);
        } else {
            members.addAttribute(bytes, keyFrom, keyTo, kind, bytes, from, to);
        }
        return to;
    }

    /** Removes all rows; keeps memory, except that of a large row. */
    void clear() {
        truncate(0);
        if (bytes.length > KEPT_BYTES) {
            meter.add(-bytes.length);
            bytes = new byte[0];
        }
    }
}
