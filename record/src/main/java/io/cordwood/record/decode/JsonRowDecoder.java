package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.logblock.match.Utf8;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.assemble.DaySplitter;
import io.cordwood.record.buffer.EventTime;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import io.cordwood.record.policy.AcceptanceWindow;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Decodes one JSON object into one row: flattens it, finds the event time, applies the acceptance window. Not
 * thread-safe.
 */
final class JsonRowDecoder {
    /** UTC days of one record's rows. */
    static final int MAX_DAYS = 366;

    /**
     * The limit of a flattened record: this factor, plus this many bytes, for names and OTLP resources that repeat in
     * each row.
     */
    private static final long GROWTH_FACTOR = 16;

    private static final long GROWTH_BYTES = 64 << 20;
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final MemberNames names = new MemberNames();
    private final JsonScanner scanner = new JsonScanner();
    private final TextSink scratch = new TextSink();
    private final MemberName[] parents = new MemberName[JsonScanner.MAX_DEPTH + 1];

    private final MemberName[] candidates = new MemberName[EventTime.RANKS];
    private final Token[] candidateTokens = new Token[EventTime.RANKS];
    private final int[] candidateStarts = new int[EventTime.RANKS];
    private final int[] candidateStops = new int[EventTime.RANKS];
    private boolean anyCandidate;
    /** The rank of the candidate that holds the event time. */
    private int usedRank;

    private RowBuffer target;
    private AcceptanceWindow window = AcceptanceWindow.DEFAULT;
    private long offset;
    private long appendMicros;
    private long budget;
    /** Days of the record's rows, except that of its append time. */
    private final Set<Long> otherDays = new HashSet<>();
    /** The day of the previous row, or of the append time. */
    private long lastDay;

    /** Prepares for the rows of one record. */
    void startRecord(RowBuffer newTarget, AcceptanceWindow newWindow, long newOffset, long newAppendMicros, int size) {
        target = newTarget;
        window = newWindow;
        offset = newOffset;
        appendMicros = newAppendMicros;
        otherDays.clear();
        lastDay = DaySplitter.day(newAppendMicros);
        budget = GROWTH_BYTES + GROWTH_FACTOR * size;
    }

    /** Forgets the last record. */
    void endRecord() {
        target = null;
        scratch.reset();
    }

    /**
     * Adds the row of a JSON object.
     *
     * @param eventMicros the event time if it is already known; else {@link EventTime#NONE}
     */
    void decode(byte[] data, int from, int to, long eventMicros, int ordinal) throws UndecodableRecordException {
        charge(to - from);
        scanner.reset(data, from, to);
        scanner.expect('{');
        anyCandidate = false;
        readMembers(eventMicros == EventTime.NONE);
        scanner.expectEnd();
        long micros = anyCandidate ? candidateTime(data) : eventMicros;
        if (micros == EventTime.NONE) {
            micros = appendMicros;
        } else if (!window.contains(micros, appendMicros)) {
            micros = timeOutside(micros);
        }
        if (DaySplitter.day(micros) != lastDay) {
            micros = timeInFewDays(micros);
        }
        target.endRow(micros, offset, ordinal);
    }

    private void readMembers(boolean timeWanted) throws UndecodableRecordException {
        int depth = 0;
        MemberName parent = names.root();
        MemberName previous = null;
        boolean atStart = true;
        while (true) {
            int c = scanner.peek();
            boolean closed = false;
            if (c == '}' && atStart) {
                scanner.position(scanner.position() + 1);
                if (depth > 0) {
                    addEmptyObject(parent);
                }
                closed = true;
            } else {
                if (c != '"') {
                    throw scanner.unexpected(atStart ? "a member or '}'" : "a member");
                }
                scanner.position(scanner.position() + 1);
                MemberName name = readName(parent, previous);
                previous = name;
                Token token = scanner.value();
                if (token == Token.OBJECT) {
                    depth = scanner.deeper(depth);
                    parents[depth] = parent;
                    parent = name;
                    previous = null;
                    atStart = true;
                    continue;
                }
                if (token == Token.ARRAY) {
                    scanner.skipContainer(scanner.start(), scanner.deeper(depth));
                }
                if (!(timeWanted && name.timeRank() >= 0 && keepCandidate(name, token))) {
                    addValue(name, token, scanner.start(), scanner.stop());
                }
            }
            atStart = false;
            while (true) {
                if (closed) {
                    if (depth == 0) {
                        return;
                    }
                    previous = parent;
                    parent = parents[depth--];
                }
                c = scanner.peek();
                if (c == ',') {
                    scanner.position(scanner.position() + 1);
                    break;
                }
                if (c != '}') {
                    throw scanner.unexpected("',' or '}'");
                }
                scanner.position(scanner.position() + 1);
                closed = true;
            }
        }
    }

    /** Reads a name after its opening quote, and the colon behind it. */
    private MemberName readName(MemberName parent, MemberName previous) throws UndecodableRecordException {
        MemberName likely = previous == null ? parent.firstChild() : previous.successor();
        if (likely == null || !scanner.skipName(likely.spelling())) {
            scanner.string();
            likely = names.child(parent, scanner);
            if (!names.isFull()) {
                parent.learn(previous, likely);
            }
            scanner.expect(':');
        }
        charge(likely.columnBytes().length);
        return likely;
    }

    private void charge(int bytes) throws UndecodableRecordException {
        budget -= bytes;
        if (budget < 0) {
            throw new UndecodableRecordException(Reason.TOO_LARGE, "Flattened, the record is many times its size");
        }
    }

    /**
     * Keeps a member as a candidate for the event time, unless it cannot hold one or the name already has a candidate.
     */
    private boolean keepCandidate(MemberName name, Token token) throws UndecodableRecordException {
        if (token != Token.STRING && token != Token.INTEGER && token != Token.FRACTION && token != Token.BIG_INTEGER) {
            return false;
        }
        if (!anyCandidate) {
            Arrays.fill(candidates, null);
            anyCandidate = true;
        }
        int rank = name.timeRank();
        if (candidates[rank] != null) {
            addAttribute(name.originalBytes(), token, scanner.start(), scanner.stop());
            return true;
        }
        candidates[rank] = name;
        candidateTokens[rank] = token;
        candidateStarts[rank] = scanner.start();
        candidateStops[rank] = scanner.stop();
        return true;
    }

    /** The event time, if a candidate holds it; the other candidates become ordinary members. */
    private long candidateTime(byte[] data) throws UndecodableRecordException {
        long micros = EventTime.NONE;
        for (int rank = 0; rank < EventTime.RANKS; rank++) {
            if (candidates[rank] == null) {
                continue;
            }
            int from = candidateStarts[rank];
            int to = candidateStops[rank];
            if (micros == EventTime.NONE) {
                micros = parseTime(data, candidateTokens[rank], from, to);
                if (micros != EventTime.NONE) {
                    usedRank = rank;
                    continue;
                }
            }
            readAgain(candidateTokens[rank], from);
            addValue(candidates[rank], candidateTokens[rank], from, to);
        }
        return micros;
    }

    private long parseTime(byte[] data, Token token, int from, int to) {
        return switch (token) {
            case STRING -> {
                long micros = EventTime.ofText(data, from, to);
                if (micros == EventTime.NONE && indexOf(data, '\\', from, to) >= 0) {
                    scratch.reset();
                    JsonText.unescape(data, from, to, scratch);
                    micros = EventTime.ofText(scratch.array(), 0, scratch.length());
                }
                yield micros;
            }
            case INTEGER -> {
                long number = 0;
                for (int i = data[from] == '-' ? from + 1 : from; i < to; i++) {
                    number = number * 10 + (data[i] - '0');
                }
                yield EventTime.ofInteger(data[from] == '-' ? -number : number);
            }
            default -> EventTime.ofNumber(data, from, to);
        };
    }

    private static int indexOf(byte[] data, int searched, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] == searched) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Each day is a LogBlock, and the rows of one record are written together, so rows of further days are restamped.
     */
    private long timeInFewDays(long micros) throws UndecodableRecordException {
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
        switch (window.outside()) {
            case ACCEPT -> {
                return micros;
            }
            case RESTAMP -> {
                addOriginalTime(micros);
                return appendMicros;
            }
            case DEAD_LETTER ->
                throw new UndecodableRecordException(
                        Reason.OUTSIDE_ACCEPTANCE_WINDOW,
                        "The event time %d us lies outside the acceptance window around the append time %d us"
                                .formatted(micros, appendMicros));
        }
        throw new AssertionError(window);
    }

    private void addOriginalTime(long micros) throws UndecodableRecordException {
        if (!anyCandidate) {
            byte[] text = Long.toString(micros).getBytes(US_ASCII);
            target.addOriginalTime(ValueKind.INTEGER, text, 0, text.length);
            return;
        }
        Token token = candidateTokens[usedRank];
        readAgain(token, candidateStarts[usedRank]);
        if (token == Token.STRING) {
            writeOut(token, scanner.start(), scanner.stop());
            target.addOriginalTime(ValueKind.TEXT, scratch.array(), 0, scratch.length());
        } else {
            target.addOriginalTime(ValueKind.FRACTION, scanner.data(), scanner.start(), scanner.stop());
        }
    }

    /** Restores a value that was read before as the scanner's token. */
    private void readAgain(Token token, int from) throws UndecodableRecordException {
        scanner.position(from);
        if (token == Token.STRING) {
            scanner.string();
        } else {
            scanner.value();
        }
    }

    private void addEmptyObject(MemberName name) {
        target.addAttribute(name.columnBytes(), ValueKind.JSON, EMPTY_OBJECT, 0, 2);
    }

    /** Adds the scanner's token as a member. */
    private void addValue(MemberName name, Token token, int from, int to) throws UndecodableRecordException {
        switch (token) {
            case STRING, ARRAY -> {
                ValueKind kind = token == Token.STRING ? ValueKind.TEXT : ValueKind.JSON;
                if (isPlain(token, from, to)) {
                    target.addText(name, kind, scanner.data(), from, to);
                } else {
                    writeOut(token, from, to);
                    target.addText(name, kind, scratch.array(), 0, scratch.length());
                }
            }
            case INTEGER -> target.addInteger(name, scanner.integer());
            case FRACTION -> target.addText(name, ValueKind.FRACTION, scanner.data(), from, to);
            case BIG_INTEGER -> target.addText(name, ValueKind.BIG_INTEGER, scanner.data(), from, to);
            case NON_FINITE -> target.addText(name, ValueKind.NON_FINITE, scanner.data(), from, to);
            case TRUE -> target.addBoolean(name, true);
            case FALSE -> target.addBoolean(name, false);
            case NULL -> {
                // Equivalent to an absent member.
            }
            case OBJECT -> throw new AssertionError("objects are flattened");
        }
    }

    private void addAttribute(byte[] name, Token token, int from, int to) throws UndecodableRecordException {
        charge(name.length);
        if (token == Token.STRING) {
            writeOut(token, from, to);
            target.addAttribute(name, ValueKind.TEXT, scratch.array(), 0, scratch.length());
        } else {
            target.addAttribute(name, ValueKind.FRACTION, scanner.data(), from, to);
        }
    }

    /** Whether the bytes of the scanner's string or array need no conversion. */
    private boolean isPlain(Token token, int from, int to) {
        if (token == Token.STRING ? scanner.isEscaped() : scanner.hasLiberties()) {
            return false;
        }
        return !scanner.isNonAscii() || Utf8.isValid(scanner.data(), from, to);
    }

    private void writeOut(Token token, int from, int to) {
        scratch.reset();
        if (token == Token.ARRAY) {
            JsonText.repairArray(scanner.data(), from, to, scratch);
        } else {
            JsonText.unescape(scanner.data(), from, to, scratch);
        }
    }
}
