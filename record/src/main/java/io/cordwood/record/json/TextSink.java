package io.cordwood.record.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.logblock.match.Utf8;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** A growing UTF-8 text with an array that can be read in place. Not thread-safe. */
public final class TextSink {
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final int KEPT = 1 << 20;

    private final LongConsumer memory;
    private byte[] bytes = new byte[256];
    private int length;
    /** The most memory that was taken. */
    private int most = bytes.length;

    public TextSink() {
        this(more -> {});
    }

    /** @param memory takes each further byte of memory before it is taken, and may refuse it by an exception */
    public TextSink(LongConsumer memory) {
        this.memory = memory;
    }

    /** Clears the text, and releases the memory of a huge value. */
    public void reset() {
        length = 0;
        if (bytes.length > KEPT) {
            bytes = new byte[256];
        }
    }

    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    void add(int b) {
        if (length == bytes.length) {
            grow(1);
        }
        bytes[length++] = (byte) b;
    }

    void add(byte[] source, int from, int to) {
        int count = to - from;
        if (bytes.length - length < count) {
            grow(count);
        }
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    void addAscii(String text) {
        add(text.getBytes(US_ASCII), 0, text.length());
    }

    /** Two hexadecimal digits, in lower case. */
    public void addHex(int octet) {
        add(HEX[(octet >>> 4) & 0xF]);
        add(HEX[octet & 0xF]);
    }

    /** The UTF-8 form of a code point that is not a surrogate. */
    void addCodePoint(int c) {
        if (bytes.length - length < 4) {
            grow(4);
        }
        length = Utf8.encode(c, bytes, length);
    }

    private void grow(int count) {
        int larger = Math.max(Math.addExact(length, count), (int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8));
        if (larger > most) {
            memory.accept(larger - most);
            most = larger;
        }
        bytes = Arrays.copyOf(bytes, larger);
    }
}
