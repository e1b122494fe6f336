package io.cordwood.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows of one tenant from one partition of one topic, in (offset, ordinal) order, before they have a table: column by
 * column, each value with the kind it had in the record. Not thread-safe.
 */
public final class RowBuffer {
    /** Names past this many are kept in a list instead of columns of their own. */
    private static final int MAX_COLUMNS = 512;

    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    private static final int FIRST_ROWS = 8;
    private static final long ROW_BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final long OVERHEAD = 512;

    private final MemoryMeter meter = new MemoryMeter();
    private final List<MemberColumn> columns = new ArrayList<>();
    private final Map<String, MemberColumn> byName = new HashMap<>();
    private MemberList others = new MemberList(meter);

    private long[] times = new long[FIRST_ROWS];
    private long[] offsets = new long[FIRST_ROWS];
    private int[] ordinals = new int[FIRST_ROWS];
    private int rows;
    private long oldestAppendMicros = Long.MAX_VALUE;
    /** Index of the column whose turn it likely is. */
    private int next;

    public RowBuffer() {
        meter.add(OVERHEAD + FIRST_ROWS * ROW_BYTES);
    }

    public int rowCount() {
        return rows;
    }

    public boolean isEmpty() {
        return rows == 0;
    }

    /** Bytes of memory held, spare capacity included. */
    public long sizeInBytes() {
        return meter.bytes();
    }

    /** Offset of the first row; the buffer must not be empty. */
    public long firstOffset() {
        return offsets[checkedRow(0)];
    }

    /** Offset of the last row; the buffer must not be empty. */
    public long lastOffset() {
        return offsets[checkedRow(rows - 1)];
    }

    private int checkedRow(int row) {
        if (rows == 0) {
            throw new IllegalStateException("The buffer is empty");
        }
        return row;
    }

    /** The earliest append time of the rows, in microseconds; {@code Long.MAX_VALUE} if empty. */
    public long oldestAppendMicros() {
        return oldestAppendMicros;
    }

    long time(int row) {
        return times[row];
    }

    long offset(int row) {
        return offsets[row];
    }

    int ordinal(int row) {
        return ordinals[row];
    }

    List<MemberColumn> columns() {
        return columns;
    }

    MemberColumn column(String name) {
        return byName.get(name);
    }

    MemberList others() {
        return others;
    }

    // A row is written between startRow and endRow; all since the last endRow is undone by rollback.

    void startRow() {
        next = 0;
    }

    void endRow(long timeMicros, long offset, int ordinal) {
        if (rows == times.length) {
            int capacity = rows + (rows >> 1) + 1;
            meter.add((capacity - rows) * ROW_BYTES);
            times = Arrays.copyOf(times, capacity);
            offsets = Arrays.copyOf(offsets, capacity);
            ordinals = Arrays.copyOf(ordinals, capacity);
        }
        times[rows] = timeMicros;
        offsets[rows] = offset;
        ordinals[rows] = ordinal;
        rows++;
    }

    /** Takes note of the append time of the rows since the last call. */
    void endRecord(long appendMicros) {
        oldestAppendMicros = Math.min(oldestAppendMicros, appendMicros);
    }

    /** Undoes all but the first {@code kept} rows. */
    void rollback(int kept) {
        rows = kept;
        for (MemberColumn column : columns) {
            column.truncate(kept);
        }
        others.truncate(kept);
    }

    void addText(MemberName name, ValueKind kind, byte[] source, int from, int to) {
        MemberColumn column = columnOf(name);
        if (column != null && column.lastRow() != rows) {
            column.addText(rows, kind, source, from, to);
        } else {
            addOther(column, name, kind, source, from, to);
        }
    }

    void addInteger(MemberName name, long value) {
        MemberColumn column = columnOf(name);
        if (column != null && column.lastRow() != rows) {
            column.addBits(rows, ValueKind.INTEGER, value);
        } else {
            byte[] text = Long.toString(value).getBytes(US_ASCII);
            addOther(column, name, ValueKind.INTEGER, text, 0, text.length);
        }
    }

    void addBoolean(MemberName name, boolean value) {
        MemberColumn column = columnOf(name);
        if (column != null && column.lastRow() != rows) {
            column.addBits(rows, ValueKind.BOOLEAN, value ? 1 : 0);
        } else {
            byte[] text = value ? TRUE : FALSE;
            addOther(column, name, ValueKind.BOOLEAN, text, 0, text.length);
        }
    }

    /** Adds a value that goes to {@code attributes} under this name. */
    void addAttribute(byte[] name, ValueKind kind, byte[] source, int from, int to) {
        others.addAttribute(rows, name, kind, source, from, to);
    }

    /** Adds the event time of a row that is restamped, as it was written. */
    void addOriginalTime(ValueKind kind, byte[] source, int from, int to) {
        others.addOriginalTime(rows, kind, source, from, to);
    }

    private void addOther(MemberColumn column, MemberName name, ValueKind kind, byte[] source, int from, int to) {
        boolean added = column == null && others.addMember(rows, name.columnBytes(), kind, source, from, to);
        if (!added) {
            // The row has a member of this column already: the later one keeps its own spelling.
            others.addAttribute(rows, name.originalBytes(), kind, source, from, to);
        }
    }

    private MemberColumn columnOf(MemberName name) {
        int turn = next;
        if (turn < columns.size()) {
            MemberColumn column = columns.get(turn);
            if (column.hint() == name) {
                next = turn + 1;
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
            column = new MemberColumn(name.column(), name.isTokenised(), meter);
            columns.add(column);
            byName.put(name.column(), column);
        }
        column.hint(name);
        // The usual case is a member that was left out: the one behind it comes next.
        for (int i = next; i < columns.size(); i++) {
            if (columns.get(i) == column) {
                next = i + 1;
                break;
            }
        }
        return column;
    }

    /** The rows as bytes: versioned, compressed, with a checksum. */
    public byte[] toChunk() {
        ChunkWriter out = new ChunkWriter();
        out.unsigned(rows);
        out.longs(new long[] {oldestAppendMicros}, 1);
        out.ascending(times, rows);
        out.ascending(offsets, rows);
        out.ints(ordinals, rows);
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
        return out.finish();
    }

    /**
     * The rows of a chunk.
     *
     * @throws CorruptChunkException if the bytes are not an undamaged chunk of a known version
     */
    public static RowBuffer fromChunk(byte[] chunk) {
        ChunkReader in = new ChunkReader(chunk);
        try {
            return new RowBuffer(in);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new CorruptChunkException("The chunk is damaged: its parts do not fit together", e);
        }
    }

    private RowBuffer(ChunkReader in) {
        rows = in.count(Integer.MAX_VALUE);
        oldestAppendMicros = in.longs(1)[0];
        times = in.ascending(rows);
        offsets = in.ascending(rows);
        ordinals = in.ints(rows);
        int used = in.count(MAX_COLUMNS);
        for (int i = 0; i < used; i++) {
            String name = new String(in.bytes(in.count(Integer.MAX_VALUE)), UTF_8);
            MemberColumn column = MemberColumn.readFrom(name, in, meter);
            columns.add(column);
            byName.put(name, column);
        }
        others = MemberList.readFrom(in, meter);
        meter.add(OVERHEAD + rows * ROW_BYTES);
    }

    /** Removes all rows; keeps memory for the next ones. */
    public void clear() {
        rows = 0;
        oldestAppendMicros = Long.MAX_VALUE;
        if (columns.size() == MAX_COLUMNS) {
            // Many of the names may be gone for good.
            columns.clear();
            byName.clear();
            meter.reset();
            meter.add(OVERHEAD + times.length * ROW_BYTES);
            others = new MemberList(meter);
            return;
        }
        for (MemberColumn column : columns) {
            column.clear();
        }
        others.clear();
    }
}
