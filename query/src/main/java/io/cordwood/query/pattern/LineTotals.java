package io.cordwood.query.pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Number of lines, their first and last time, and the first of them. Sums do not depend on the order of lines. Not
 * thread-safe.
 */
final class LineTotals {
    /** The maximum length of a sample, in bytes. */
    static final int MAX_SAMPLE_BYTES = 512;

    private static final byte[] NONE = {};

    private long count;
    private long before;
    private long firstMicros = Long.MAX_VALUE;
    private long lastMicros = Long.MIN_VALUE;
    private byte[] sample = NONE;

    void add(byte[] bytes, int from, int to, long micros, boolean isBefore) {
        if (isBefore) {
            before++;
            return;
        }
        count++;
        lastMicros = Math.max(lastMicros, micros);
        if (micros <= firstMicros) {
            int end = Math.min(to, from + MAX_SAMPLE_BYTES);
            if (micros < firstMicros || Arrays.compareUnsigned(bytes, from, end, sample, 0, sample.length) < 0) {
                firstMicros = micros;
                sample = Arrays.copyOfRange(bytes, from, end);
            }
        }
    }

    void addWithoutText(boolean isBefore) {
        if (isBefore) {
            before++;
        } else {
            count++;
        }
    }

    void add(LineTotals other) {
        count += other.count;
        before += other.before;
        lastMicros = Math.max(lastMicros, other.lastMicros);
        if (other.firstMicros < firstMicros
                || other.firstMicros == firstMicros && Arrays.compareUnsigned(other.sample, sample) < 0) {
            firstMicros = other.firstMicros;
            sample = other.sample;
        }
    }

    long count() {
        return count;
    }

    long before() {
        return before;
    }

    /** Time of the first line, without those before. */
    long firstMicros() {
        return firstMicros;
    }

    /** Time of the last line, without those before. */
    long lastMicros() {
        return lastMicros;
    }

    /** The beginning of the first line; of several at that time the least one. */
    String sample() {
        return new String(sample, 0, wholeCharacters(), UTF_8);
    }

    /** The length without a character that was cut. */
    private int wholeCharacters() {
        int at = sample.length;
        if (at < MAX_SAMPLE_BYTES) {
            return at;
        }
        int begin = at - 1;
        while (begin > 0 && (sample[begin] & 0xC0) == 0x80) {
            begin--;
        }
        int size = (sample[begin] & 0xE0) == 0xC0 ? 2 : (sample[begin] & 0xF0) == 0xE0 ? 3 : 4;
        return sample[begin] < 0 && begin + size > at ? begin : at;
    }
}
