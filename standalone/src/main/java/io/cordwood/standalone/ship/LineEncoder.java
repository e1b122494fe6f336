package io.cordwood.standalone.ship;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Encodes a line as a record's value: unchanged if it is one JSON object, else wrapped in an object. Thread-safe. */
final class LineEncoder {
    private static final byte[] BEFORE = "{\"message\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AFTER = "\"}".getBytes(StandardCharsets.US_ASCII);

    private final JsonFactory json = new JsonFactory();

    byte[] value(byte[] line) {
        return isObject(line) ? line : wrapped(line);
    }

    private boolean isObject(byte[] line) {
        int first = 0;
        while (first < line.length && (line[first] == ' ' || line[first] == '\t')) {
            first++;
        }
        if (first == line.length || line[first] != '{') {
            return false;
        }
        try (JsonParser parser = json.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            parser.skipChildren();
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
        } catch (IOException notJson) {
            return false;
        }
    }

    private static byte[] wrapped(byte[] line) {
        // Bytes that are not UTF-8 become replacement characters, because JSON cannot carry them.
        byte[] text = JsonStringEncoder.getInstance().quoteAsUTF8(new String(line, StandardCharsets.UTF_8));
        ByteArrayOutputStream value = new ByteArrayOutputStream(BEFORE.length + text.length + AFTER.length);
        value.writeBytes(BEFORE);
        value.writeBytes(text);
        value.writeBytes(AFTER);
        return value.toByteArray();
    }
}
