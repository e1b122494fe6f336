package io.cordwood.record.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The members without a {@link MemberColumn}: values that always go to {@code attributes}, and names beyond those that
 * a buffer keeps in columns. A list of (row, name, kind, text), in row order. Not thread-safe.
 */
public final class MemberList {
    private static final int ATTRIBUTE = 0x40;
    private static final int ORIGINAL_TIME = 0x20;
    private static final int KIND = 0x1F;

    private static final byte[] TS_ORIGINAL = "ts_original".getBytes(US_ASCII);

    private final MemoryMeter meter;
    private final TextLane names;
    private final TextLane values;
    private int[] rows = new int[0];
    private byte[] flags = new byte[0];
    /** By slot of a name: the last row with a member of the name that may have a column. */
    private int[] lastRows = new int[0];

    MemberList(MemoryMeter meter) {
        this.meter = meter;
        this.names = TextLane.dictionary(meter);
        this.values = TextLane.plain(meter);
    }

    public int count() {
        return values.size();
    }

    public int row(int index) {
        return rows[index];
    }

    /** Whether the value goes to {@code attributes} even if the table has a column of its name. */
    public boolean isAttribute(int index) {
        return (flags[index] & ATTRIBUTE) != 0;
    }

    public ValueKind kind(int index) {
        return ValueKind.of(flags[index] & KIND);
    }

    /** Whether the value is the event time of a restamped row. */
    public boolean isOriginalTime(int index) {
        return (flags[index] & ORIGINAL_TIME) != 0;
    }

    public String name(int index) {
        int slot = names.slot(index);
        int from = names.slotStart(slot);
        return new String(names.bytes(), from, names.slotEnd(slot) - from, UTF_8);
    }

    /** Whether rows from one on have members that are not settled. */
    boolean hasUnsettled(int fromRow, SettledMembers settled) {
        for (int i = count() - 1; i >= 0 && rows[i] >= fromRow; i--) {
            ValueKind kind = kind(i);
            if (!isAttribute(i) && !settled.isSettled(kind) && !settled.isSettled(name(i), kind)) {
                return true;
            }
        }
        return false;
    }

    /** Names, a dictionary: equal names have one slot. */
    public TextLane names() {
        return names;
    }

    /** Values as text; an integer in decimal, a boolean as {@code true} or {@code false}. */
    public TextLane values() {
        return values;
    }

    /** Adds a value that goes to {@code attributes} under this name. */
    void addAttribute(int row, byte[] name, int nameFrom, int nameTo, ValueKind kind, byte[] source, int from, int to) {
        names.add(name, nameFrom, nameTo);
        add(row, kind.code() | ATTRIBUTE, source, from, to);
    }

    /** Adds the event time of a restamped row. */
    void addOriginalTime(int row, ValueKind kind, byte[] source, int from, int to) {
        names.add(TS_ORIGINAL, 0, TS_ORIGINAL.length);
        add(row, kind.code() | ATTRIBUTE | ORIGINAL_TIME, source, from, to);
    }

    /** Adds a value that may have a column. Returns false if the row already has one of this name. */
    boolean addMember(int row, byte[] name, ValueKind kind, byte[] source, int from, int to) {
        int slot = names.add(name, 0, name.length);
        if (slot >= lastRows.length) {
            int length = lastRows.length;
            lastRows = Arrays.copyOf(lastRows, slot + (slot >> 1) + 8);
            Arrays.fill(lastRows, length, lastRows.length, -1);
            meter.add((long) (lastRows.length - length) * Integer.BYTES);
        }
        if (lastRows[slot] == row) {
            names.truncate(names.size() - 1);
            return false;
        }
        lastRows[slot] = row;
        add(row, kind.code(), source, from, to);
        return true;
    }

    private void add(int row, int flag, byte[] source, int from, int to) {
        int index = values.size();
        if (index == rows.length) {
            rows = Arrays.copyOf(rows, index + (index >> 1) + 8);
            flags = Arrays.copyOf(flags, rows.length);
            meter.add((rows.length - index) * (Integer.BYTES + 1L));
        }
        rows[index] = row;
        flags[index] = (byte) flag;
        values.add(source, from, to);
    }

    /** Removes the members of this row and all after it. */
    void truncate(int row) {
        int kept = count();
        while (kept > 0 && rows[kept - 1] >= row) {
            kept--;
        }
        names.truncate(kept);
        values.truncate(kept);
        for (int i = 0; i < lastRows.length; i++) {
            if (lastRows[i] >= row) {
                lastRows[i] = -1;
            }
        }
    }

    void clear() {
        names.clear();
        values.clear();
        Arrays.fill(lastRows, -1);
    }

    void writeTo(ChunkWriter out) {
        int count = count();
        out.unsigned(count);
        if (count > 0) {
            out.ints(rows, count);
            out.bytes(flags, count);
            names.writeTo(out);
            values.writeTo(out);
        }
    }

    static MemberList readFrom(ChunkReader in, MemoryMeter meter) {
        MemberList list = new MemberList(meter);
        int count = in.count(1L << 31);
        if (count > 0) {
            list.rows = in.ints(count);
            list.flags = in.bytes(count);
            list.names.readFrom(in);
            list.values.readFrom(in);
            meter.add(count * (Integer.BYTES + 1L));
        }
        return list;
    }
}
