package io.cordwood.trino.page;

import static io.trino.spi.type.TypeUtils.writeNativeValue;

import io.cordwood.query.scan.TimeBin;
import io.cordwood.trino.type.SqlTypes;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.DateTimeEncoding;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;

/** Creates blocks of values of a time bin, given in milliseconds since the epoch. Immutable. */
final class TimeBinBlocks {
    private final Type type;
    private final TimeZoneKey zone;

    TimeBinBlocks(TimeBin bin) {
        type = SqlTypes.type(bin);
        zone = bin instanceof TimeBin.UnixTime(double _, String zoneId)
                ? TimeZoneKey.getTimeZoneKey(zoneId)
                : TimeZoneKey.UTC_KEY;
    }

    /** A block that repeats a value. */
    Block run(long millis, int count) {
        return RunLengthEncodedBlock.create(values(new long[] {millis}, 1), count);
    }

    Block values(long[] millis, int count) {
        BlockBuilder builder = newBuilder(count);
        for (int i = 0; i < count; i++) {
            append(builder, millis[i]);
        }
        return builder.build();
    }

    BlockBuilder newBuilder(int count) {
        return type.createBlockBuilder(null, count);
    }

    void append(BlockBuilder builder, long millis) {
        writeNativeValue(type, builder, value(millis));
    }

    /** The value in the engine's form for the type. */
    Object value(long millis) {
        return type.getJavaType() == long.class
                ? (Object) DateTimeEncoding.packDateTimeWithZone(millis, zone)
                : LongTimestampWithTimeZone.fromEpochMillisAndFraction(millis, 0, zone);
    }
}
