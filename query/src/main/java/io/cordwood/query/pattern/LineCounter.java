package io.cordwood.query.pattern;

/** Counts lines. Not thread-safe. */
public interface LineCounter {
    /**
     * Counts a line.
     *
     * @param bytes has the line in UTF-8 from {@code from} up to {@code to}
     * @param micros time of the line, in microseconds since the epoch
     * @param isBefore whether it belongs to the time before, and is counted apart
     */
    void add(byte[] bytes, int from, int to, long micros, boolean isBefore);

    /** Counts a row that has no text. */
    void addWithoutText(boolean isBefore);
}
