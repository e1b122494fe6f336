package io.cordwood.trino.type;

import io.airlift.slice.Slice;
import io.cordwood.logblock.schema.ColumnType;
import io.trino.spi.type.LongTimestampWithTimeZone;

/** Converts values of the engine to values of a {@link io.cordwood.logblock.predicate.Predicate}. Stateless. */
public final class SqlValues {
    private static final int PICOS_PER_MICRO = 1_000_000;

    private SqlValues() {}

    /** Converts a value to a predicate's form. */
    public static Object toPredicateValue(ColumnType type, Object value) {
        return switch (type) {
            case VARCHAR -> ((Slice) value).toStringUtf8();
            case BIGINT, DOUBLE, BOOLEAN -> value;
            case TIMESTAMP -> micros((LongTimestampWithTimeZone) value);
            case MAP -> throw new IllegalArgumentException("A map is not a value of a predicate");
        };
    }

    /** Microseconds since the epoch of a timestamp of precision 6. */
    public static long micros(LongTimestampWithTimeZone timestamp) {
        return Math.addExact(
                Math.multiplyExact(timestamp.getEpochMillis(), 1000), timestamp.getPicosOfMilli() / PICOS_PER_MICRO);
    }
}
