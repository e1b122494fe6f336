package io.cordwood.record.decode;

import io.cordwood.logblock.match.Utf8;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.EventTime;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;

/** Decodes one JSON object into one row: flattens it. Not thread-safe. */
final class JsonRowDecoder {
    private final RowWriter rows;
    private final TextSink scratch;
    private final MemberNames names = new MemberNames();
    private final JsonScanner scanner = new JsonScanner();
    private final MemberName[] parents = new MemberName[JsonScanner.MAX_DEPTH + 1];

    JsonRowDecoder(RowWriter rows) {
        this.rows = rows;
        this.scratch = rows.scratch();
    }

    /**
     * Adds the row of a JSON object.
     *
     * @param ordinal the row's number in its record
     */
    void decode(byte[] data, int from, int to, int ordinal) throws UndecodableRecordException {
        rows.charge(to - from);
        scanner.reset(data, from, to);
        scanner.expect('{');
        rows.startRow();
        rows.timeWanted(true);
        readMembers();
        scanner.expectEnd();
        rows.endRow(EventTime.NONE, ordinal);
    }

    private void readMembers() throws UndecodableRecordException {
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
                    rows.emptyObject(parent);
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
                addValue(name, token, scanner.start(), scanner.stop());
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
            likely = names.child(parent, scanner.data(), scanner.start(), scanner.stop(), scanner.isEscaped());
            if (!names.isFull()) {
                parent.learn(previous, likely);
            }
            scanner.expect(':');
        }
        rows.charge(likely.columnBytes().length);
        return likely;
    }

    /** Adds the scanner's token as a member. */
    private void addValue(MemberName name, Token token, int from, int to) throws UndecodableRecordException {
        switch (token) {
            case STRING, ARRAY -> {
                ValueKind kind = token == Token.STRING ? ValueKind.TEXT : ValueKind.JSON;
                if (isPlain(token, from, to)) {
                    rows.text(name, kind, scanner.data(), from, to);
                } else {
                    writeOut(token, from, to);
                    rows.text(name, kind, scratch.array(), 0, scratch.length());
                }
            }
            case INTEGER -> rows.integer(name, scanner.integer());
            case FRACTION -> rows.text(name, ValueKind.FRACTION, scanner.data(), from, to);
            case BIG_INTEGER -> rows.text(name, ValueKind.BIG_INTEGER, scanner.data(), from, to);
            case NON_FINITE -> rows.text(name, ValueKind.NON_FINITE, scanner.data(), from, to);
            case TRUE -> rows.bool(name, true);
            case FALSE -> rows.bool(name, false);
            case NULL -> {
                // Equivalent to an absent member.
            }
            case OBJECT -> throw new AssertionError("objects are flattened");
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
