package io.cordwood.record.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.LongConsumer;

/** A writer of JSON into a byte sink. Not thread-safe. */
public final class JsonComposer {
    private final TextSink out;
    private boolean afterValue;

    public JsonComposer() {
        out = new TextSink();
    }

    /** @param memory takes each further byte of memory before it is taken, and may refuse it by an exception */
    public JsonComposer(LongConsumer memory) {
        out = new TextSink(memory);
    }

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

    /** Writes a member's name that is not escaped yet. */
    public void name(byte[] data, int from, int to) {
        separate();
        JsonText.quote(data, from, to, out);
        out.add(':');
        afterValue = false;
    }

    /** Writes a member's name that is not escaped yet. */
    public void name(String name) {
        byte[] bytes = name.getBytes(UTF_8);
        name(bytes, 0, bytes.length);
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

    /** Writes a string that is not escaped yet. */
    public void string(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        string(bytes, 0, bytes.length);
    }

    /** Writes a string copied from between the quotes of other JSON. */
    public void escapedString(byte[] data, int from, int to) {
        separate();
        out.add('"');
        out.add(data, from, to);
        out.add('"');
        afterValue = true;
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

    private void separate() {
        if (afterValue) {
            out.add(',');
        }
    }
}
