package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.logblock.match.Utf8;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.JsonScanner;
import io.cordwood.record.json.JsonScanner.Token;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.util.Arrays;
import java.util.Base64;

/**
 * Flattens the names and values of OTLP into members: objects give dotted names, arrays become JSON text. A name comes
 * before its value, except in arrays. Not thread-safe.
 */
final class OtlpMembers {
    private final RowSink row;
    private final TextSink scratch;
    private final MemberNames names = new MemberNames();
    private final JsonScanner scanner = new JsonScanner();

    /** The text of the current array. */
    private final JsonComposer array = new JsonComposer();
    /** Nesting depth of objects and arrays within the current array, itself included; 0 outside. */
    private int arrayDepth;

    private final MemberName[] parents = new MemberName[OtlpDepth.MAX + 2];
    private final boolean[] empty = new boolean[OtlpDepth.MAX + 2];
    private int depth;
    private MemberSink sink;
    private MemberName name;

    OtlpMembers(RowSink row) {
        this.row = row;
        this.scratch = row.scratch();
        this.sink = row;
    }

    /** Forgets the last record. */
    void endRecord() {
        array.reset();
    }

    /** Starts the members of a row. */
    void startRow() {
        start(row, names.root());
    }

    /** Starts members that rows share, below this name. */
    void startShared(SharedMembers shared, byte[] top) {
        MemberName root = names.root();
        start(shared, names.child(root, top, 0, top.length, false));
    }

    private void start(MemberSink newSink, MemberName parent) {
        sink = newSink;
        depth = 0;
        arrayDepth = 0;
        parents[0] = parent;
    }

    /** A name of ASCII characters. */
    void name(byte[] text) throws UndecodableRecordException {
        name(text, 0, text.length);
    }

    void name(byte[] data, int from, int to) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.name(data, from, to);
            return;
        }
        empty[depth] = false;
        name = names.child(parents[depth], data, from, to, false);
        row.charge(name.columnBytes().length);
    }

    /** A name with the escapes of JSON. */
    void escapedName(byte[] data, int from, int to) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.escapedName(data, from, to);
        } else if (hasEscape(data, from, to)) {
            byte[] unescaped = unescaped(data, from, to);
            name(unescaped, 0, unescaped.length);
        } else {
            name(data, from, to);
        }
    }

    void string(byte[] data, int from, int to) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.string(data, from, to);
        } else if (Utf8.isValid(data, from, to)) {
            text(ValueKind.TEXT, data, from, to);
        } else {
            scratch.reset();
            JsonText.repair(data, from, to, scratch);
            text(ValueKind.TEXT, scratch.array(), 0, scratch.length());
        }
    }

    /** A string with the escapes of JSON. */
    void escapedString(byte[] data, int from, int to) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.escapedString(data, from, to);
        } else if (hasEscape(data, from, to)) {
            scratch.reset();
            JsonText.unescape(data, from, to, scratch);
            text(ValueKind.TEXT, scratch.array(), 0, scratch.length());
        } else {
            string(data, from, to);
        }
    }

    private static boolean hasEscape(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private byte[] unescaped(byte[] data, int from, int to) {
        scratch.reset();
        JsonText.unescape(data, from, to, scratch);
        return Arrays.copyOf(scratch.array(), scratch.length());
    }

    /** Bytes as a string of hexadecimal digits; not in arrays. */
    void hex(byte[] data, int from, int to) throws UndecodableRecordException {
        scratch.reset();
        for (int i = from; i < to; i++) {
            scratch.addHex(data[i]);
        }
        text(ValueKind.TEXT, scratch.array(), 0, scratch.length());
    }

    /** Bytes as a base64 string. */
    void base64(byte[] data, int from, int to) throws UndecodableRecordException {
        byte[] encoded = Base64.getEncoder().encode(Arrays.copyOfRange(data, from, to));
        string(encoded, 0, encoded.length);
    }

    void integer(long value) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.number(value);
        } else {
            row.charge(Long.BYTES);
            sink.integer(name, value);
        }
    }

    /** An integer without a sign; not in arrays. */
    void unsigned(long value) throws UndecodableRecordException {
        if (value >= 0) {
            integer(value);
        } else {
            byte[] digits = Long.toUnsignedString(value).getBytes(US_ASCII);
            text(ValueKind.BIG_INTEGER, digits, 0, digits.length);
        }
    }

    void fraction(double value) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.number(value);
        } else {
            byte[] digits = Double.toString(value).getBytes(US_ASCII);
            text(Double.isFinite(value) ? ValueKind.FRACTION : ValueKind.NON_FINITE, digits, 0, digits.length);
        }
    }

    /** A number as JSON spells it. */
    void number(byte[] data, int from, int to) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.token(data, from, to);
            return;
        }
        Token token = scan(data, from, to);
        switch (token) {
            case INTEGER -> integer(scanner.integer());
            case FRACTION -> text(ValueKind.FRACTION, data, from, to);
            case BIG_INTEGER -> text(ValueKind.BIG_INTEGER, data, from, to);
            case NON_FINITE -> text(ValueKind.NON_FINITE, data, from, to);
            default -> throw OtlpRows.malformed("Expected a number, found " + token);
        }
    }

    void bool(boolean value) throws UndecodableRecordException {
        if (arrayDepth > 0) {
            array.token(value ? "true" : "false");
        } else {
            row.charge(1);
            sink.bool(name, value);
        }
    }

    /** A value that is not set: equivalent to an absent member. */
    void nothing() {
        if (arrayDepth > 0) {
            array.token("null");
        }
    }

    void openObject() {
        if (arrayDepth > 0) {
            arrayDepth++;
            array.open('{');
            return;
        }
        parents[++depth] = name;
        empty[depth] = true;
    }

    void closeObject() {
        if (arrayDepth > 0) {
            arrayDepth--;
            array.close('}');
            return;
        }
        if (empty[depth]) {
            sink.emptyObject(parents[depth]);
        }
        depth--;
    }

    void openArray() {
        if (arrayDepth == 0) {
            array.reset();
        }
        arrayDepth++;
        array.open('[');
    }

    void closeArray() throws UndecodableRecordException {
        array.close(']');
        arrayDepth--;
        if (arrayDepth > 0) {
            return;
        }
        scan(array.array(), 0, array.length());
        if (scanner.hasLiberties() || (scanner.isNonAscii() && !Utf8.isValid(array.array(), 0, array.length()))) {
            scratch.reset();
            JsonText.repairArray(array.array(), 0, array.length(), scratch);
            text(ValueKind.JSON, scratch.array(), 0, scratch.length());
        } else {
            text(ValueKind.JSON, array.array(), 0, array.length());
        }
    }

    /** Scans text that must be one number or array. */
    private Token scan(byte[] data, int from, int to) throws UndecodableRecordException {
        try {
            scanner.reset(data, from, to);
            Token token = scanner.value();
            if (token == Token.ARRAY) {
                scanner.skipContainer(from, 1);
            }
            scanner.expectEnd();
            return token;
        } catch (UndecodableRecordException e) {
            throw e.reason() == Reason.MALFORMED_JSON ? OtlpRows.malformed(e.getMessage()) : e;
        }
    }

    private void text(ValueKind kind, byte[] data, int from, int to) throws UndecodableRecordException {
        row.charge(to - from);
        sink.text(name, kind, data, from, to);
    }
}
