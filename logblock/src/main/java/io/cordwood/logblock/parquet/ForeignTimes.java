package io.cordwood.logblock.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

/** Time formats of other programs. Digits beyond microseconds are cut off, towards the past. Stateless. */
enum ForeignTimes {
    MILLIS {
        @Override
        long micros(ColumnReader reader) {
            return Math.multiplyExact(reader.getLong(), MICROS_PER_MILLI);
        }
    },
    MICROS {
        @Override
        long micros(ColumnReader reader) {
            return reader.getLong();
        }
    },
    NANOS {
        @Override
        long micros(ColumnReader reader) {
            return Math.floorDiv(reader.getLong(), NANOS_PER_MICRO);
        }
    },
    /** Nanoseconds of a day and the day's number; still Spark's default. */
    INT96 {
        @Override
        long micros(ColumnReader reader) {
            ByteBuffer value = reader.getBinary().toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
            long nanos = value.getLong();
            long day = value.getInt() - JULIAN_DAY_OF_EPOCH;
            return Math.addExact(
                    Math.multiplyExact(day, TimeUnit.DAYS.toMicros(1)), Math.floorDiv(nanos, NANOS_PER_MICRO));
        }
    };

    private static final long MICROS_PER_MILLI = 1000;
    private static final long NANOS_PER_MICRO = 1000;
    private static final long JULIAN_DAY_OF_EPOCH = 2_440_588;

    /**
     * The reader's current value in microseconds since the epoch.
     *
     * @throws ArithmeticException if the value exceeds a long
     */
    abstract long micros(ColumnReader reader);

    static ForeignTimes of(SchemaElement element) {
        if (element.getType() == Type.INT96) {
            return INT96;
        }
        if (element.isSetLogicalType() && element.getLogicalType().isSetTIMESTAMP()) {
            return switch (element.getLogicalType().getTIMESTAMP().getUnit().getSetField()) {
                case MILLIS -> MILLIS;
                case MICROS -> MICROS;
                case NANOS -> NANOS;
            };
        }
        return element.isSetConverted_type() && element.getConverted_type() == ConvertedType.TIMESTAMP_MILLIS
                ? MILLIS
                : MICROS;
    }
}
