package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.assemble.DaySplitter;
import io.cordwood.record.buffer.EventTime;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.json.TextSink;
import io.cordwood.record.policy.AcceptanceWindow;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes the members of a record's rows to a buffer: finds the event time among them, applies the acceptance window,
 * and limits the growth of the record. Each format's decoder writes here. Not thread-safe.
 */
final class RowWriter implements RowSink {
    /** UTC days of one record's rows. */
    static final int MAX_DAYS = 366;

    /**
     * The limit of a flattened record: this factor, plus this many bytes, for names and OTLP resources that repeat in
     * each row.
     */
    private static final long GROWTH_FACTOR = 16;

    private static final long GROWTH_BYTES = 64 << 20;
    private static final int KEPT_BYTES = 1 << 20;
    private static final byte[] EMPTY_OBJECT = {'{', '}'};
    private static final byte[] NO_TEXT = new byte[0];

    private final TextSink scratch = new TextSink();

    // The candidates for the event time, by rank
    private final MemberName[] candidates = new MemberName[EventTime.RANKS];
    private final ValueKind[] candidateKinds = new ValueKind[EventTime.RANKS];
    private final byte[][] candidateTexts = new byte[EventTime.RANKS][];
    private final int[] candidateStarts = new int[EventTime.RANKS];
    private final int[] candidateStops = new int[EventTime.RANKS];
    private final long[] candidateIntegers = new long[EventTime.RANKS];
    private boolean anyCandidate;
    /** The rank of the candidate that holds the event time. */
    private int usedRank;

    private RowBuffer target;
    private AcceptanceWindow window = AcceptanceWindow.DEFAULT;
    private long offset;
    private long appendMicros;
    private int size;
    private long budget;
    private boolean timeWanted;
    /** Days of the record's rows, except that of its append time. */
    private final Set<Long> otherDays = new HashSet<>();
    /** The day of the previous row, or of the append time. */
    private long lastDay;
    /** Rows of the record that have its append time, because their own time did not parse. */
    private int unparsedTimes;
    /** Rows of the record that have its append time, because their own time is not accepted. */
    private int restamped;

    /** Prepares for the rows of one record. */
    void startRecord(
            RowBuffer newTarget, AcceptanceWindow newWindow, long newOffset, long newAppendMicros, int newSize) {
        target = newTarget;
        window = newWindow;
        offset = newOffset;
        appendMicros = newAppendMicros;
        otherDays.clear();
        unparsedTimes = 0;
        restamped = 0;
        lastDay = DaySplitter.day(newAppendMicros);
        size = newSize;
        budget = GROWTH_BYTES + GROWTH_FACTOR * size;
    }

    /** Forgets the last record, or at least a large one. */
    void endRecord() {
        target = null;
        scratch.reset();
        if (size > KEPT_BYTES) {
            Arrays.fill(candidateTexts, null);
        }
    }

    int unparsedTimes() {
        return unparsedTimes;
    }

    int restamped() {
        return restamped;
    }

    @Override
    public TextSink scratch() {
        return scratch;
    }

    @Override
    public void charge(long bytes) throws UndecodableRecordException {
        budget -= bytes;
        if (budget < 0) {
            throw new UndecodableRecordException(Reason.TOO_LARGE, "Flattened, the record is many times its size");
        }
    }

    @Override
    public void startRow() {
        anyCandidate = false;
        timeWanted = false;
    }

    @Override
    public void timeWanted(boolean wanted) {
        timeWanted = wanted;
    }

    /** The bytes must not change until the row ends, unless they are in {@link #scratch}. */
    @Override
    public void text(MemberName name, ValueKind kind, byte[] source, int from, int to)
            throws UndecodableRecordException {
        if (timeWanted && name.timeRank() >= 0 && kind != ValueKind.JSON && kind != ValueKind.NON_FINITE) {
            if (source == scratch.array()) {
                addCandidate(name, kind, Arrays.copyOfRange(source, from, to), 0, to - from, 0);
            } else {
                addCandidate(name, kind, source, from, to, 0);
            }
        } else {
            target.addText(name, kind, source, from, to);
        }
    }

    @Override
    public void integer(MemberName name, long value) throws UndecodableRecordException {
        if (timeWanted && name.timeRank() >= 0) {
            addCandidate(name, ValueKind.INTEGER, NO_TEXT, 0, 0, value);
        } else {
            target.addInteger(name, value);
        }
    }

    @Override
    public void bool(MemberName name, boolean value) {
        target.addBoolean(name, value);
    }

    @Override
    public void emptyObject(MemberName name) {
        target.addAttribute(name.columnBytes(), ValueKind.JSON, EMPTY_OBJECT, 0, 2);
    }

    /** Adds a candidate for the event time. A second candidate of the same name becomes an attribute. */
    private void addCandidate(MemberName name, ValueKind kind, byte[] text, int from, int to, long integer)
            throws UndecodableRecordException {
        if (!anyCandidate) {
            Arrays.fill(candidates, null);
            anyCandidate = true;
        }
        int rank = name.timeRank();
        if (candidates[rank] != null) {
            charge(name.originalBytes().length);
            byte[] value = kind == ValueKind.INTEGER ? Long.toString(integer).getBytes(US_ASCII) : text;
            int start = kind == ValueKind.INTEGER ? 0 : from;
            int stop = kind == ValueKind.INTEGER ? value.length : to;
            target.addAttribute(name.originalBytes(), asWritten(kind), value, start, stop);
            return;
        }
        candidates[rank] = name;
        candidateKinds[rank] = kind;
        candidateTexts[rank] = text;
        candidateStarts[rank] = from;
        candidateStops[rank] = to;
        candidateIntegers[rank] = integer;
    }

    private static ValueKind asWritten(ValueKind kind) {
        return kind == ValueKind.TEXT ? ValueKind.TEXT : ValueKind.FRACTION;
    }

    @Override
    public void endRow(long eventMicros, int ordinal) throws UndecodableRecordException {
        long micros = anyCandidate ? candidateTime() : eventMicros;
        if (micros == EventTime.NONE) {
            micros = appendMicros;
            unparsedTimes += anyCandidate ? 1 : 0;
        } else if (!window.contains(micros, appendMicros)) {
            micros = timeOutside(micros);
        }
        if (DaySplitter.day(micros) != lastDay) {
            micros = timeInFewDays(micros);
        }
        target.endRow(micros, offset, ordinal);
    }

    /** The event time, if a candidate holds it; the other candidates become ordinary members. */
    private long candidateTime() {
        long micros = EventTime.NONE;
        for (int rank = 0; rank < EventTime.RANKS; rank++) {
            if (candidates[rank] == null) {
                continue;
            }
            if (micros == EventTime.NONE) {
                micros = parseTime(rank);
                if (micros != EventTime.NONE) {
                    usedRank = rank;
                    continue;
                }
            }
            if (candidateKinds[rank] == ValueKind.INTEGER) {
                target.addInteger(candidates[rank], candidateIntegers[rank]);
            } else {
                target.addText(
                        candidates[rank],
                        candidateKinds[rank],
                        candidateTexts[rank],
                        candidateStarts[rank],
                        candidateStops[rank]);
            }
        }
        return micros;
    }

    private long parseTime(int rank) {
        byte[] text = candidateTexts[rank];
        return switch (candidateKinds[rank]) {
            case TEXT -> EventTime.ofText(text, candidateStarts[rank], candidateStops[rank]);
            case INTEGER -> EventTime.ofInteger(candidateIntegers[rank]);
            default -> EventTime.ofNumber(text, candidateStarts[rank], candidateStops[rank]);
        };
    }

    /**
     * Each day is a LogBlock, and the rows of one record are written together, so rows of further days are restamped.
     */
    private long timeInFewDays(long micros) {
        long day = DaySplitter.day(micros);
        long appendDay = DaySplitter.day(appendMicros);
        if (day != appendDay && !otherDays.contains(day) && otherDays.size() >= MAX_DAYS - 1) {
            addOriginalTime(micros);
            lastDay = appendDay;
            return appendMicros;
        }
        if (day != appendDay) {
            otherDays.add(day);
        }
        lastDay = day;
        return micros;
    }

    private long timeOutside(long micros) throws UndecodableRecordException {
        return switch (window.outside()) {
            case ACCEPT -> micros;
            case RESTAMP -> {
                addOriginalTime(micros);
                yield appendMicros;
            }
            case DEAD_LETTER ->
                throw new UndecodableRecordException(
                        Reason.OUTSIDE_ACCEPTANCE_WINDOW,
                        "The event time %d us lies outside the acceptance window around the append time %d us"
                                .formatted(micros, appendMicros));
        };
    }

    private void addOriginalTime(long micros) {
        restamped++;
        if (!anyCandidate) {
            addOriginalTime(ValueKind.INTEGER, micros);
        } else if (candidateKinds[usedRank] == ValueKind.INTEGER) {
            addOriginalTime(ValueKind.FRACTION, candidateIntegers[usedRank]);
        } else {
            target.addOriginalTime(
                    asWritten(candidateKinds[usedRank]),
                    candidateTexts[usedRank],
                    candidateStarts[usedRank],
                    candidateStops[usedRank]);
        }
    }

    private void addOriginalTime(ValueKind kind, long number) {
        byte[] text = Long.toString(number).getBytes(US_ASCII);
        target.addOriginalTime(kind, text, 0, text.length);
    }
}
