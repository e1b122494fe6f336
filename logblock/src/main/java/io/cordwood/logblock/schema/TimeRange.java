package io.cordwood.logblock.schema;

/** Microseconds {@code [fromMicros, toMicros]}, both ends included. */
public record TimeRange(long fromMicros, long toMicros) {
    public static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);

    public boolean isEmpty() {
        return fromMicros > toMicros;
    }
}
