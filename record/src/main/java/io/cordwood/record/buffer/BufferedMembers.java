package io.cordwood.record.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The members of a buffer's rows, by name. Most names have a column, the others share a list. Not thread-safe. */
final class BufferedMembers {
    /** Number of names with a column; further names go to the list. */
    private static final int MAX_COLUMNS = 512;

    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);

    private final MemoryMeter meter = new MemoryMeter();
    private final List<MemberColumn> columns = new ArrayList<>();
    private final Map<String, MemberColumn> byName = new HashMap<>();
    private MemberList others;
    private int row;
    /** Index of the column that probably comes next. */
    private int next;

    BufferedMembers() {
        this.others = new MemberList(meter);
    }

    BufferedMembers(ChunkReader in) {
        int used = in.count(MAX_COLUMNS);
        for (int i = 0; i < used; i++) {
            String name = new String(in.bytes(in.count(Integer.MAX_VALUE)), UTF_8);
            MemberColumn column = MemberColumn.readFrom(name, i, in, meter);
            columns.add(column);
            byName.put(name, column);
        }
        this.others = MemberList.readFrom(in, meter);
    }

    long sizeInBytes() {
        return meter.bytes();
    }

    List<MemberColumn> columns() {
        return columns;
    }

    MemberList others() {
        return others;
    }

    /** Whether rows from one on have members that are not settled. */
    boolean hasUnsettled(int fromRow, SettledMembers settled) {
        for (MemberColumn column : columns) {
            if (column.hasUnsettled(fromRow, settled)) {
                return true;
            }
        }
        return others.hasUnsettled(fromRow, settled);
    }

    /** Starts a row: the members added next belong to it. It comes after all earlier rows. */
    void startRow(int newRow) {
        row = newRow;
        next = 0;
    }

    void addText(MemberName name, ValueKind kind, byte[] source, int from, int to) {
        MemberColumn column = columnOf(name);
        if (column != null && column.lastRow() != row) {
            column.addText(row, kind, source, from, to);
        } else {
            addOther(column, name, kind, source, from, to);
        }
    }

    /** Adds an integer or a boolean. */
    void addBits(MemberName name, ValueKind kind, long bits) {
        MemberColumn column = columnOf(name);
        if (column != null && column.lastRow() != row) {
            column.addBits(row, kind, bits);
        } else {
            byte[] text = kind == ValueKind.BOOLEAN
                    ? bits != 0 ? TRUE : FALSE
                    : Long.toString(bits).getBytes(US_ASCII);
            addOther(column, name, kind, text, 0, text.length);
        }
    }

    /** Adds a value that goes to {@code attributes} under this name. */
    void addAttribute(byte[] name, int nameFrom, int nameTo, ValueKind kind, byte[] source, int from, int to) {
        others.addAttribute(row, name, nameFrom, nameTo, kind, source, from, to);
    }

    /** Adds the event time of a row that is restamped, as it was written. */
    void addOriginalTime(ValueKind kind, byte[] source, int from, int to) {
        others.addOriginalTime(row, kind, source, from, to);
    }

    private void addOther(MemberColumn column, MemberName name, ValueKind kind, byte[] source, int from, int to) {
        boolean added = column == null && others.addMember(row, name.columnBytes(), kind, source, from, to);
        if (!added) {
            // The row already has a member of this column: the later one keeps its own spelling.
            byte[] original = name.originalBytes();
            others.addAttribute(row, original, 0, original.length, kind, source, from, to);
        }
    }

    private MemberColumn columnOf(MemberName name) {
        int likely = next;
        if (likely < columns.size()) {
            MemberColumn column = columns.get(likely);
            if (column.hint() == name) {
                next = likely + 1;
                return column;
            }
        }
        return findColumn(name);
    }

    private MemberColumn findColumn(MemberName name) {
        MemberColumn column = byName.get(name.column());
        if (column == null) {
            if (columns.size() == MAX_COLUMNS) {
                return null;
            }
            column = new MemberColumn(name.column(), columns.size(), name.isTokenised(), meter);
            columns.add(column);
            byName.put(name.column(), column);
        }
        column.hint(name);
        next = column.place() + 1;
        return column;
    }

    /** Removes the members of row {@code kept} and all after it. */
    void truncate(int kept) {
        for (MemberColumn column : columns) {
            column.truncate(kept);
        }
        others.truncate(kept);
    }

    /** Removes all members. Keeps memory, except memory of names that may never return. */
    void clear() {
        if (columns.size() == MAX_COLUMNS) {
            columns.clear();
            byName.clear();
            meter.reset();
            others = new MemberList(meter);
            return;
        }
        for (MemberColumn column : columns) {
            column.clear();
        }
        others.clear();
    }

    void writeTo(ChunkWriter out) {
        int used = 0;
        for (MemberColumn column : columns) {
            used += column.count() > 0 ? 1 : 0;
        }
        out.unsigned(used);
        for (MemberColumn column : columns) {
            if (column.count() > 0) {
                byte[] name = column.name().getBytes(UTF_8);
                out.unsigned(name.length);
                out.bytes(name, name.length);
                column.writeTo(out);
            }
        }
        others.writeTo(out);
    }
}
