package io.cordwood.trino.page;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.trino.type.SqlTypes;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.SqlTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlocksTest {
    private static final NullMask SECOND = new NullMask(3);

    static {
        SECOND.set(1);
    }

    @Test
    void numbersAndFlags() {
        Block longs = Blocks.toBlock(new LongVector(new long[] {5, 0, -1}, 3, SECOND), BIGINT);
        assertThat(BIGINT.getLong(longs, 0)).isEqualTo(5);
        assertThat(longs.isNull(1)).isTrue();
        assertThat(BIGINT.getLong(longs, 2)).isEqualTo(-1);

        Block doubles = Blocks.toBlock(new DoubleVector(1.5, Double.NaN), DOUBLE);
        assertThat(DOUBLE.getDouble(doubles, 0)).isEqualTo(1.5);
        assertThat(DOUBLE.getDouble(doubles, 1)).isNaN();

        Block flags = Blocks.toBlock(new BooleanVector(new boolean[] {true, true, false}, 3, SECOND), BOOLEAN);
        assertThat(BOOLEAN.getBoolean(flags, 0)).isTrue();
        assertThat(flags.isNull(1)).isTrue();
        assertThat(BOOLEAN.getBoolean(flags, 2)).isFalse();
    }

    @Test
    void timesBeforeAndAfterTheEpoch() {
        Block times = Blocks.toBlock(new LongVector(1_605_052_800_123_456L, -1), TIMESTAMP_TZ_MICROS);
        assertThat(TIMESTAMP_TZ_MICROS.getObject(times, 0))
                .isEqualTo(LongTimestampWithTimeZone.fromEpochMillisAndFraction(
                        1_605_052_800_123L, 456_000_000, TimeZoneKey.UTC_KEY));
        assertThat(TIMESTAMP_TZ_MICROS.getObjectValue(times, 1))
                .isEqualTo(SqlTimestampWithTimeZone.fromInstant(
                        6, java.time.Instant.parse("1969-12-31T23:59:59.999999Z"), java.time.ZoneId.of("UTC")));
    }

    @Test
    void plainAndDictionaryText() {
        Block plain = Blocks.toBlock(StringVector.of("a", null, "ü"), VARCHAR);
        assertThat(VARCHAR.getSlice(plain, 0).toStringUtf8()).isEqualTo("a");
        assertThat(plain.isNull(1)).isTrue();
        assertThat(VARCHAR.getSlice(plain, 2).toStringUtf8()).isEqualTo("ü");

        StringVector dictionary =
                new StringVector("infowarn".getBytes(UTF_8), new int[] {0, 4, 8}, new int[] {1, 99, 0}, 3, SECOND);
        Block block = Blocks.toBlock(dictionary, VARCHAR);
        assertThat(block).isInstanceOf(DictionaryBlock.class);
        assertThat(VARCHAR.getSlice(block, 0).toStringUtf8()).isEqualTo("warn");
        assertThat(block.isNull(1)).isTrue();
        assertThat(VARCHAR.getSlice(block, 2).toStringUtf8()).isEqualTo("info");
    }

    @Test
    void batchesShareTheirDictionary() {
        byte[] bytes = "infowarn".getBytes(UTF_8);
        int[] offsets = {0, 4, 8};
        DictionaryBlocks blocks = new DictionaryBlocks();
        DictionaryBlock withNull =
                (DictionaryBlock) blocks.block(new StringVector(bytes, offsets, new int[] {1, 99, 0}, 3, SECOND));
        DictionaryBlock without = (DictionaryBlock)
                blocks.block(new StringVector(bytes, offsets, new int[] {0, 1, 1}, 3, NullMask.none()));
        assertThat(without.getDictionary()).isSameAs(withNull.getDictionary());
        assertThat(withNull.isNull(1)).isTrue();
        assertThat(VARCHAR.getSlice(without, 2).toStringUtf8()).isEqualTo("warn");
        DictionaryBlock other = (DictionaryBlock)
                blocks.block(new StringVector(bytes.clone(), offsets, new int[] {0, 0, 0}, 3, NullMask.none()));
        assertThat(other.getDictionary()).isNotSameAs(without.getDictionary());
    }

    @Test
    void mapsOfText() {
        MapVector maps = new MapVector(
                new int[] {0, 2, 2, 3}, StringVector.of("k", "l", "k"), StringVector.of("1", null, "3"), 3, SECOND);
        Block block = Blocks.toBlock(maps, SqlTypes.ATTRIBUTES_TYPE);
        Object first = SqlTypes.ATTRIBUTES_TYPE.getObjectValue(block, 0);
        assertThat(first).isInstanceOfSatisfying(Map.class, map -> {
            assertThat(map.get("k")).isEqualTo("1");
            assertThat(map.containsKey("l")).isTrue();
        });
        assertThat(block.isNull(1)).isTrue();
        assertThat(SqlTypes.ATTRIBUTES_TYPE.getObjectValue(block, 2)).isEqualTo(Map.of("k", "3"));
    }
}
