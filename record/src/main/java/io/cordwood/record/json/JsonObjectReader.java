package io.cordwood.record.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.json.JsonScanner.Token;
import java.util.Arrays;

/**
 * A reader of the members of one JSON object, or the elements of one array, in text that was validated before. Several
 * readers may share a scanner. Not thread-safe.
 */
public final class JsonObjectReader {
    private final JsonScanner scanner;
    private final boolean object;
    private int position;
    private boolean atStart = true;
    private int nameStart;
    private int nameStop;
    private Token token = Token.NULL;
    private int start;
    private int stop;

    /** A reader of the object or array whose bracket is at {@code open}. */
    public JsonObjectReader(JsonScanner scanner, int open) {
        this.scanner = scanner;
        this.object = scanner.data()[open] == '{';
        this.position = open + 1;
    }

    /** Reads the next member or element; false at the end. */
    public boolean next() throws UndecodableRecordException {
        scanner.position(position);
        int c = scanner.peek();
        if (c == (object ? '}' : ']')) {
            return false;
        }
        if (!atStart) {
            scanner.expect(',');
        }
        atStart = false;
        if (object) {
            scanner.expect('"');
            scanner.string();
            nameStart = scanner.start();
            nameStop = scanner.stop();
            scanner.expect(':');
        }
        token = scanner.value();
        if (token == Token.OBJECT || token == Token.ARRAY) {
            scanner.skipContainer(scanner.start(), 1);
        }
        start = scanner.start();
        stop = scanner.stop();
        position = scanner.position();
        return true;
    }

    /** Whether the member has this name, in lowerCamelCase or in snake_case. */
    public boolean isNamed(String name) {
        byte[] data = scanner.data();
        byte[] camel = name.getBytes(US_ASCII);
        if (Arrays.equals(data, nameStart, nameStop, camel, 0, camel.length)) {
            return true;
        }
        int i = nameStart;
        for (byte b : camel) {
            if (b >= 'A' && b <= 'Z') {
                if (i + 1 >= nameStop || data[i] != '_' || data[i + 1] != b + ('a' - 'A')) {
                    return false;
                }
                i += 2;
            } else if (i >= nameStop || data[i] != b) {
                return false;
            } else {
                i++;
            }
        }
        return i == nameStop;
    }

    /** The start of the member's name, after its quote. */
    public int nameStart() {
        return nameStart;
    }

    /** The end of the member's name, at its closing quote. */
    public int nameStop() {
        return nameStop;
    }

    /** The end of the member or element, before what separates it from the next. */
    public int position() {
        return position;
    }

    public Token token() {
        return token;
    }

    /** The start of the value: its bracket, or the byte after its quote. */
    public int start() {
        return start;
    }

    /** The end of the value: after its bracket, or at its closing quote. */
    public int stop() {
        return stop;
    }
}
