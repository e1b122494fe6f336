package io.cordwood.trino.function;

import io.trino.spi.function.Description;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.StandardTypes;

/** {@code date_bin(interval, timestamp)}: the start of the bin that holds a local time. Stateless. */
@ScalarFunction("date_bin")
@Description("Start of the bin of this length, counted from 1970-01-01 00:00:00, that holds the timestamp")
public final class DateBinTimestampFunction {
    private DateBinTimestampFunction() {}

    @LiteralParameters("p")
    @SqlType("timestamp(p)")
    public static long bin(
            @SqlType(StandardTypes.INTERVAL_DAY_TO_SECOND) long millis, @SqlType("timestamp(p)") long epochMicros) {
        return DateBinArithmetic.floorMicros(millis, epochMicros);
    }

    @LiteralParameters("p")
    @SqlType("timestamp(p)")
    public static LongTimestamp bin(
            @SqlType(StandardTypes.INTERVAL_DAY_TO_SECOND) long millis,
            @SqlType("timestamp(p)") LongTimestamp timestamp) {
        return new LongTimestamp(DateBinArithmetic.floorMicros(millis, timestamp.getEpochMicros()), 0);
    }
}
