package io.cordwood.record.buffer;

import java.util.Arrays;

/**
 * The values of one member name, in row order, each with its kind. Not thread-safe.
 *
 * <p>Value {@code i} belongs to row {@code rows[i]}, or to row {@code i} while every row has one. Text kinds lie in the
 * text lane, the others in {@code longs}. A lane that not all values use is padded, so that index {@code i} is valid in
 * both.
 */
public final class MemberColumn {
    private static final int[] NO_ROWS = new int[0];
    private static final long[] NO_LONGS = new long[0];
    private static final byte[] NO_KINDS = new byte[0];
    private static final int FIRST_CAPACITY = 8;

    private final String name;
    private final int place;
    private final MemoryMeter meter;
    private final boolean tokenised;

    /** The last member name that led to this column; only a shortcut. */
    private MemberName hint;

    private int count;
    private int lastRow = -1;
    private boolean dense = true;
    private int[] rows = NO_ROWS;
    private boolean uniform = true;
    private byte kind;
    private byte[] kinds = NO_KINDS;
    private long[] longs = NO_LONGS;
    private TextLane text;

    public MemberColumn(String name, int place, boolean tokenised, MemoryMeter meter) {
        this.name = name;
        this.place = place;
        this.tokenised = tokenised;
        this.meter = meter;
        meter.add(160 + 2L * name.length());
    }

    public String name() {
        return name;
    }

    /** Index among the columns of its buffer. */
    int place() {
        return place;
    }

    MemberName hint() {
        return hint;
    }

    void hint(MemberName newHint) {
        hint = newHint;
    }

    public int count() {
        return count;
    }

    /** Row of the last value, or -1. */
    int lastRow() {
        return lastRow;
    }

    /** Whether value {@code i} belongs to row {@code i}. */
    boolean isDense() {
        return dense;
    }

    public int row(int index) {
        return dense ? index : rows[index];
    }

    /** Index of the first value from a row on; {@link #count} if there is none. */
    int firstFrom(int row) {
        if (dense) {
            return Math.min(row, count);
        }
        int at = Arrays.binarySearch(rows, 0, count, row);
        return at >= 0 ? at : -at - 1;
    }

    /** Whether a value from a row on is not settled. */
    boolean hasUnsettled(int fromRow, SettledMembers settled) {
        if (lastRow < fromRow) {
            return false;
        }
        if (uniform) {
            return !settled.isSettled(name, kind(0));
        }
        for (int i = firstFrom(fromRow); i < count; i++) {
            if (!settled.isSettled(name, kind(i))) {
                return true;
            }
        }
        return false;
    }

    public boolean isUniform() {
        return uniform;
    }

    public ValueKind kind(int index) {
        return ValueKind.of(uniform ? kind : kinds[index]);
    }

    /** The 64 bits of a value whose kind is not text; a boolean is 0 or 1. */
    public long bits(int index) {
        return longs[index];
    }

    /** The text values; only if there are some. */
    public TextLane text() {
        return text;
    }

    public void addText(int row, ValueKind valueKind, byte[] source, int from, int to) {
        begin(row, valueKind.code());
        if (text == null) {
            text = tokenised ? TextLane.plain(meter) : TextLane.adaptive(meter);
        }
        if (text.size() < count) {
            text.pad(count);
        }
        text.add(source, from, to);
        count++;
    }

    public void addBits(int row, ValueKind valueKind, long bits) {
        begin(row, valueKind.code());
        if (count >= longs.length) {
            int held = longs.length;
            longs = Arrays.copyOf(longs, capacity(count));
            meter.add((long) (longs.length - held) * Long.BYTES);
        }
        longs[count++] = bits;
    }

    private void begin(int row, byte code) {
        if (dense) {
            if (row != count) {
                listRows();
            }
        }
        if (!dense) {
            if (count == rows.length) {
                rows = Arrays.copyOf(rows, capacity(count));
                meter.add((long) (rows.length - count) * Integer.BYTES);
            }
            rows[count] = row;
        }
        lastRow = row;
        if (uniform) {
            if (count == 0) {
                kind = code;
            } else if (kind != code) {
                listKinds();
            }
        }
        if (!uniform) {
            if (count == kinds.length) {
                kinds = Arrays.copyOf(kinds, capacity(count));
                meter.add(kinds.length - count);
            }
            kinds[count] = code;
        }
    }

    private void listRows() {
        dense = false;
        rows = new int[capacity(count)];
        for (int i = 0; i < count; i++) {
            rows[i] = i;
        }
        meter.add((long) rows.length * Integer.BYTES);
    }

    private void listKinds() {
        uniform = false;
        kinds = new byte[capacity(count)];
        Arrays.fill(kinds, 0, count, kind);
        meter.add(kinds.length);
    }

    private static int capacity(int used) {
        return Math.max(FIRST_CAPACITY, used + (used >> 1) + 1);
    }

    /** Removes the values of this row and all after it. */
    void truncate(int row) {
        int kept = count;
        while (kept > 0 && row(kept - 1) >= row) {
            kept--;
        }
        if (kept == count) {
            return;
        }
        count = kept;
        lastRow = kept == 0 ? -1 : row(kept - 1);
        if (text != null && text.size() > kept) {
            text.truncate(kept);
        }
    }

    /** Removes all values; keeps memory. */
    void clear() {
        meter.add(-(long) rows.length * Integer.BYTES - kinds.length);
        count = 0;
        lastRow = -1;
        dense = true;
        rows = NO_ROWS;
        uniform = true;
        kinds = NO_KINDS;
        if (text != null) {
            text.clear();
        }
    }

    void writeTo(ChunkWriter out) {
        out.unsigned(count);
        out.flag(dense);
        if (!dense) {
            out.ints(rows, count);
        }
        out.flag(uniform);
        out.flag(tokenised);
        boolean anyBits = false;
        boolean anyText = false;
        if (uniform) {
            out.unsigned(kind);
            anyText = ValueKind.of(kind).isText();
            anyBits = !anyText;
        } else {
            out.bytes(kinds, count);
            for (int i = 0; i < count; i++) {
                boolean isText = ValueKind.of(kinds[i]).isText();
                anyText |= isText;
                anyBits |= !isText;
            }
        }
        if (anyBits) {
            out.longs(longs.length < count ? Arrays.copyOf(longs, count) : longs, count);
        }
        if (anyText) {
            text.pad(count);
            text.writeTo(out);
        }
    }

    static MemberColumn readFrom(String name, int place, ChunkReader in, MemoryMeter meter) {
        int count = in.count(1L << 31);
        boolean dense = in.flag();
        int[] rows = dense ? NO_ROWS : in.ints(count);
        boolean uniform = in.flag();
        MemberColumn column = new MemberColumn(name, place, in.flag(), meter);
        column.count = count;
        column.dense = dense;
        column.rows = rows;
        column.lastRow = count == 0 ? -1 : column.row(count - 1);
        column.uniform = uniform;
        boolean anyBits = false;
        boolean anyText = false;
        if (uniform) {
            column.kind = (byte) in.count(ValueKind.values().length - 1);
            anyText = ValueKind.of(column.kind).isText();
            anyBits = !anyText;
        } else {
            column.kinds = in.bytes(count);
            for (int i = 0; i < count; i++) {
                boolean isText = ValueKind.of(column.kinds[i]).isText();
                anyText |= isText;
                anyBits |= !isText;
            }
        }
        if (anyBits) {
            column.longs = in.longs(count);
        }
        if (anyText) {
            column.text = TextLane.plain(meter);
            column.text.readFrom(in);
        }
        meter.add((long) column.rows.length * Integer.BYTES + column.kinds.length + column.longs.length * 8L);
        return column;
    }
}
