package io.cordwood.trino.function;

import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.DateTimeEncoding.unpackZoneKey;

import io.trino.spi.function.Description;
import io.trino.spi.function.LiteralParameters;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.StandardTypes;

/** {@code date_bin(interval, timestamp with time zone)}: the start of the bin that holds an instant. Stateless. */
@ScalarFunction("date_bin")
@Description("Start of the bin of this length, counted from 1970-01-01 00:00:00 UTC, that holds the instant")
public final class DateBinTimestampWithTimeZoneFunction {
    private DateBinTimestampWithTimeZoneFunction() {}

    @LiteralParameters("p")
    @SqlType("timestamp(p) with time zone")
    public static long bin(
            @SqlType(StandardTypes.INTERVAL_DAY_TO_SECOND) long millis,
            @SqlType("timestamp(p) with time zone") long packed) {
        return packDateTimeWithZone(
                DateBinArithmetic.floorMillis(millis, unpackMillisUtc(packed)), unpackZoneKey(packed));
    }

    @LiteralParameters("p")
    @SqlType("timestamp(p) with time zone")
    public static LongTimestampWithTimeZone bin(
            @SqlType(StandardTypes.INTERVAL_DAY_TO_SECOND) long millis,
            @SqlType("timestamp(p) with time zone") LongTimestampWithTimeZone timestamp) {
        return LongTimestampWithTimeZone.fromEpochMillisAndFraction(
                DateBinArithmetic.floorMillis(millis, timestamp.getEpochMillis()), 0, timestamp.getTimeZoneKey());
    }
}
