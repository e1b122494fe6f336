package io.cordwood.record.buffer;

import io.cordwood.logblock.schema.TimeRange;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A buffer of rows of one tenant from one partition of one topic, in (offset, ordinal) order, before they have a table.
 * Columnar; each value has the kind it had in the record. Not thread-safe.
 */
public final class RowBuffer {
    private static final int FIRST_ROWS = 8;
    private static final long ROW_BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;
    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final long OVERHEAD = 512;

    private final MemoryMeter meter = new MemoryMeter();
    private final RowStage stage = new RowStage(meter);
    private final BufferedMembers members;

    private long[] times;
    private long[] offsets;
    private int[] ordinals;
    /** By row: value bytes of the record that begins with it; 0 for other rows. */
    private int[] recordBytes;
    /** By row: the hour of its record's append time, hours since the epoch. */
    private int[] appendHours;

    /** The observer of added members; null if there is none. */
    private MemberObserver observer;

    private int rows;
    private long oldestAppendMicros = Long.MAX_VALUE;
    /** Whether members of the current row are already in columns. */
    private boolean openRowMoved;

    public RowBuffer() {
        members = new BufferedMembers();
        times = new long[FIRST_ROWS];
        offsets = new long[FIRST_ROWS];
        ordinals = new int[FIRST_ROWS];
        recordBytes = new int[FIRST_ROWS];
        appendHours = new int[FIRST_ROWS];
        meter.add(OVERHEAD + FIRST_ROWS * ROW_BYTES);
    }

    private RowBuffer(ChunkReader in) {
        rows = in.count(Integer.MAX_VALUE);
        oldestAppendMicros = in.longs(1)[0];
        times = in.ascending(rows);
        offsets = in.ascending(rows);
        ordinals = in.ints(rows);
        recordBytes = in.ints(rows);
        appendHours = in.ints(rows);
        members = new BufferedMembers(in);
        meter.add(OVERHEAD + rows * ROW_BYTES);
    }

    public int rowCount() {
        return rows;
    }

    public boolean isEmpty() {
        return rows == 0;
    }

    /** Bytes of memory, including spare capacity. */
    public long sizeInBytes() {
        return meter.bytes() + members.sizeInBytes();
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

    /** The span of times of the rows from one on; there must be such rows. */
    public TimeRange times(int fromRow) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int row = fromRow; row < rows; row++) {
            min = Math.min(min, times[row]);
            max = Math.max(max, times[row]);
        }
        return new TimeRange(min, max);
    }

    public long time(int row) {
        return times[row];
    }

    public long offset(int row) {
        return offsets[row];
    }

    /** The first row of a record at or above an offset; {@link #rowCount} if there is none. */
    public int firstRowFrom(long offset) {
        int row = 0;
        while (row < rows && offsets[row] < offset) {
            row++;
        }
        return row;
    }

    public int ordinal(int row) {
        return ordinals[row];
    }

    /** The columns of the members of all rows. */
    public List<MemberColumn> columns() {
        moveStaged();
        return members.columns();
    }

    /** The members of all rows without a column. */
    public MemberList others() {
        moveStaged();
        return members.others();
    }

    /** A visitor of the members of rows. */
    @FunctionalInterface
    public interface MemberVisitor {
        /**
         * Values of a member that may have a column.
         *
         * @param lastRow the last visited row with a value of this kind
         */
        void values(String name, ValueKind kind, int lastRow);
    }

    /**
     * Visits the members of the rows from one on, in the order in which they are given columns: by name in order of
     * first appearance, and last the names without a column in the buffer.
     */
    public void forEachMember(int fromRow, MemberVisitor visitor) {
        List<Values> present = new ArrayList<>();
        for (MemberColumn column : columns()) {
            if (column.lastRow() >= fromRow) {
                present.add(new Values(column, column.firstFrom(fromRow)));
            }
        }
        present.sort(Comparator.comparingInt(values -> values.column().row(values.first())));
        for (Values values : present) {
            MemberColumn column = values.column();
            if (column.isUniform()) {
                visitor.values(column.name(), column.kind(0), column.lastRow());
            } else {
                for (int i = values.first(); i < column.count(); i++) {
                    visitor.values(column.name(), column.kind(i), column.row(i));
                }
            }
        }
        MemberList others = others();
        for (int i = 0; i < others.count(); i++) {
            if (!others.isAttribute(i) && others.row(i) >= fromRow) {
                visitor.values(others.name(i), others.kind(i), others.row(i));
            }
        }
    }

    /** The values of a column from one on. */
    private record Values(MemberColumn column, int first) {}

    /**
     * Searches the rows from one on for members that are not settled. Does not move rows, and takes some nanoseconds
     * for each value added since rows were last put into columns.
     *
     * @return an offset below which no row has such members; empty if no row has any
     */
    public OptionalLong unsettledFrom(int fromRow, SettledMembers settled) {
        int moved = rows - stage.rows();
        boolean found = (fromRow < moved && members.hasUnsettled(fromRow, settled))
                || stage.hasUnsettled(Math.max(0, fromRow - moved), settled)
                || (fromRow < rows && settled == SettledMembers.NONE);
        return found ? OptionalLong.of(offsets[fromRow]) : OptionalLong.empty();
    }

    /** Sets the observer of members that are added from now on, if there is one. */
    public void observe(Optional<? extends MemberObserver> newObserver) {
        observer = newObserver.orElse(null);
    }

    // Added members belong to the row that the next endRow ends; rollback removes members that belong to no row.

    public void addText(MemberName name, ValueKind kind, byte[] source, int from, int to) {
        if (observer != null) {
            if (kind.isNumber()) {
                observer.number(name.column(), source, from, to);
            } else {
                observer.text(name.column(), name.isTokenised(), source, from, to);
            }
        }
        stage.addText(name, kind, source, from, to);
        moveOpenRowIfLarge();
    }

    public void addInteger(MemberName name, long value) {
        if (observer != null) {
            observer.integer(name.column(), value);
        }
        stage.addBits(name, ValueKind.INTEGER, value);
        moveOpenRowIfLarge();
    }

    public void addBoolean(MemberName name, boolean value) {
        if (observer != null) {
            observer.bool(name.column(), value);
        }
        stage.addBits(name, ValueKind.BOOLEAN, value ? 1 : 0);
        moveOpenRowIfLarge();
    }

    /** Adds a value that goes to {@code attributes} under this name. */
    public void addAttribute(byte[] name, ValueKind kind, byte[] source, int from, int to) {
        stage.addAttribute(name, kind, source, from, to);
    }

    /** Adds the event time of a row that is restamped, as it was written. */
    public void addOriginalTime(ValueKind kind, byte[] source, int from, int to) {
        stage.addOriginalTime(kind, source, from, to);
    }

    public void endRow(long timeMicros, long offset, int ordinal) {
        if (rows == times.length) {
            int capacity = rows + (rows >> 1) + 1;
            meter.add((capacity - rows) * ROW_BYTES);
            times = Arrays.copyOf(times, capacity);
            offsets = Arrays.copyOf(offsets, capacity);
            ordinals = Arrays.copyOf(ordinals, capacity);
            recordBytes = Arrays.copyOf(recordBytes, capacity);
            appendHours = Arrays.copyOf(appendHours, capacity);
        }
        times[rows] = timeMicros;
        offsets[rows] = offset;
        ordinals[rows] = ordinal;
        recordBytes[rows] = 0;
        rows++;
        stage.endRow();
        if (stage.isFull() || openRowMoved) {
            moveStaged();
            openRowMoved = false;
        }
    }

    /**
     * Records the Kafka record of the last rows.
     *
     * @param firstRow its first row; the last one is the buffer's last
     * @param bytes length of its value
     */
    public void endRecord(int firstRow, long appendMicros, int bytes) {
        oldestAppendMicros = Math.min(oldestAppendMicros, appendMicros);
        recordBytes[firstRow] = bytes;
        Arrays.fill(appendHours, firstRow, rows, hour(appendMicros));
    }

    private static int hour(long micros) {
        return (int) Math.floorDiv(micros, HOUR_MICROS);
    }

    /** A visitor of how rows arrived. */
    @FunctionalInterface
    public interface AppendVisitor {
        /**
         * One row.
         *
         * @param offset offset of its record
         * @param timeMicros its event time, in microseconds since the epoch
         * @param appendHour hour of its record's append time, hours since the epoch
         * @param recordBytes length of its record's value; 0 unless it is the record's first row
         */
        void row(long offset, long timeMicros, int appendHour, int recordBytes);
    }

    /** Visits how each row arrived, in order. */
    public void forEachAppend(AppendVisitor visitor) {
        for (int row = 0; row < rows; row++) {
            visitor.row(offsets[row], times[row], appendHours[row], recordBytes[row]);
        }
    }

    /** Removes all but the first {@code kept} rows. */
    public void rollback(int kept) {
        int moved = rows - stage.rows();
        rows = kept;
        stage.truncate(Math.max(0, kept - moved));
        if (kept < moved || openRowMoved) {
            members.truncate(kept);
        }
        openRowMoved = false;
    }

    /** A row of very many members goes to the columns in parts, because the stage keeps a reference for each member. */
    private void moveOpenRowIfLarge() {
        if (stage.isOpenRowLarge()) {
            moveStaged();
            openRowMoved = true;
        }
    }

    private void moveStaged() {
        stage.moveTo(members, rows - stage.rows());
    }

    /** The rows as bytes: versioned, compressed, with a checksum. */
    public byte[] toChunk() {
        moveStaged();
        ChunkWriter out = new ChunkWriter();
        out.unsigned(rows);
        out.longs(new long[] {oldestAppendMicros}, 1);
        out.ascending(times, rows);
        out.ascending(offsets, rows);
        out.ints(ordinals, rows);
        out.ints(recordBytes, rows);
        out.ints(appendHours, rows);
        members.writeTo(out);
        return out.finish();
    }

    /**
     * The rows of a chunk.
     *
     * @throws CorruptChunkException if the bytes are not an undamaged chunk of this version
     */
    public static RowBuffer fromChunk(byte[] chunk) {
        ChunkReader in = new ChunkReader(chunk);
        try {
            return new RowBuffer(in);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new CorruptChunkException("The chunk is damaged: its parts are inconsistent", e);
        }
    }

    /** Removes all rows; keeps memory for the next ones. */
    public void clear() {
        rows = 0;
        oldestAppendMicros = Long.MAX_VALUE;
        stage.clear();
        members.clear();
    }
}
