package io.cordwood.record.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Base64;

/** A writer of JSON into a byte sink. Not thread-safe. */
public final class JsonComposer {
    private final TextSink out = new TextSink();
    private boolean afterValue;

    public void reset() {
        out.reset();
        afterValue = false;
    }

    public byte[] array() {
        return out.array();
    }

    public int length() {
        return out.length();
    }

    public void open(char bracket) {
        separate();
        out.add(bracket);
        afterValue = false;
    }

    public void close(char bracket) {
        out.add(bracket);
        afterValue = true;
    }

    /** Writes a member's name that needs no escapes. */
    public void name(String name) {
        separate();
        out.add('"');
        out.addAscii(name);
        out.add('"');
        out.add(':');
        afterValue = false;
    }

    /** Writes a member's name that is not escaped yet. */
    public void name(byte[] data, int from, int to) {
        separate();
        JsonText.quote(data, from, to, out);
        out.add(':');
        afterValue = false;
    }

    /** Writes a member's name copied from between the quotes of other JSON. */
    public void escapedName(byte[] data, int from, int to) {
        escapedString(data, from, to);
        out.add(':');
        afterValue = false;
    }

    /** Writes a string that is not escaped yet. */
    public void string(byte[] data, int from, int to) {
        separate();
        JsonText.quote(data, from, to, out);
        afterValue = true;
    }

    /** Writes a string copied from between the quotes of other JSON. */
    public void escapedString(byte[] data, int from, int to) {
        separate();
        out.add('"');
        out.add(data, from, to);
        out.add('"');
        afterValue = true;
    }

    /** Writes bytes as a string of hexadecimal digits. */
    public void hex(byte[] data, int from, int to) {
        separate();
        out.add('"');
        for (int i = from; i < to; i++) {
            out.addHex(data[i]);
        }
        out.add('"');
        afterValue = true;
    }

    /** Writes bytes as a base64 string. */
    public void base64(byte[] data, int from, int to) {
        byte[] encoded = Base64.getEncoder().encode(Arrays.copyOfRange(data, from, to));
        escapedString(encoded, 0, encoded.length);
    }

    public void number(long value) {
        token(Long.toString(value));
    }

    public void number(double value) {
        token(Double.toString(value));
    }

    /** Writes a number, {@code true}, {@code false}, {@code null} or {@code NaN}. */
    public void token(String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        token(bytes, 0, bytes.length);
    }

    public void token(byte[] data, int from, int to) {
        separate();
        out.add(data, from, to);
        afterValue = true;
    }

    /** Writes members that another composer wrote, without their braces. */
    public void members(JsonComposer other) {
        if (other.length() > 0) {
            separate();
            out.add(other.array(), 0, other.length());
            afterValue = true;
        }
    }

    private void separate() {
        if (afterValue) {
            out.add(',');
        }
    }

    @Override
    public String toString() {
        return new String(out.array(), 0, out.length(), ISO_8859_1);
    }
}
