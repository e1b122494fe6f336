package io.cordwood.trino.page;

import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.scan.TimeBin;
import io.cordwood.trino.function.DateBinTimestampWithTimeZoneFunction;
import io.trino.operator.scalar.DateTimeFunctions;
import io.trino.operator.scalar.timestamptz.DateTrunc;
import io.trino.operator.scalar.timestamptz.ToUnixTime;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.TestingConnectorSession;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bins are what the engine's own functions give. */
class TimeBinTest {
    private static final long YEAR_MICROS = 31_557_600_000_000L;
    private static final double[] SECONDS = {0.001, 0.1, 1, 60, 3600, 86_400, 7.3};
    private static final ConnectorSession VIENNA = TestingConnectorSession.builder()
            .setTimeZoneKey(TimeZoneKey.getTimeZoneKey("Europe/Vienna"))
            .build();

    private static final int TRIES = 20_000;

    private final Random random = new Random(23);

    /** Times of log rows, far ones, and ones beside where bins begin. */
    private long micros() {
        return switch (random.nextInt(3)) {
            case 0 -> random.nextLong(50 * YEAR_MICROS, 60 * YEAR_MICROS);
            case 1 -> random.nextLong(-2000 * YEAR_MICROS, 2000 * YEAR_MICROS);
            default -> random.nextInt(-100_000, 100_000) * 3_600_000_000L + random.nextInt(-1001, 1001);
        };
    }

    private double seconds() {
        return random.nextBoolean() ? SECONDS[random.nextInt(SECONDS.length)] : Math.pow(10, random.nextDouble(-3, 10));
    }

    @ParameterizedTest
    @EnumSource
    void truncatesAsTheEngineDoes(TimeBin.Unit unit) {
        TimeBin bin = new TimeBin.Trunc(unit);
        assertThat(TimeBin.decode(bin.encode())).isEqualTo(bin);
        for (int i = 0; i < TRIES; i++) {
            long micros = micros();
            assertThat(value(bin, micros))
                    .isEqualTo(DateTrunc.truncate(utf8Slice(unit.name().toLowerCase(Locale.ROOT)), timestamp(micros)));
        }
    }

    @Test
    void binsAsDateBinDoes() {
        for (int i = 0; i < TRIES; i++) {
            long interval = random.nextLong(1, 1L << random.nextInt(1, 46));
            TimeBin bin = new TimeBin.Bin(interval);
            assertThat(TimeBin.decode(bin.encode())).isEqualTo(bin);
            long micros = micros();
            assertThat(value(bin, micros))
                    .isEqualTo(DateBinTimestampWithTimeZoneFunction.bin(interval, timestamp(micros)));
        }
    }

    @Test
    void roundsUnixTimesAsTheEngineDoes() {
        for (int i = 0; i < TRIES; i++) {
            double seconds = seconds();
            TimeBin bin = new TimeBin.UnixTime(seconds, VIENNA.getTimeZoneKey().getId());
            assertThat(TimeBin.decode(bin.encode())).isEqualTo(bin);
            long micros = micros();
            double floor = Math.floor(ToUnixTime.toUnixTime(timestamp(micros)) / seconds) * seconds;
            assertThat(value(bin, micros)).isEqualTo(DateTimeFunctions.fromUnixTime(VIENNA, floor));
        }
    }

    @Test
    void laterTimesHaveNoEarlierBin() {
        for (int i = 0; i < TRIES; i++) {
            TimeBin bin = new TimeBin.UnixTime(seconds(), "UTC");
            long micros = micros();
            if (bin.isMonotone(micros, micros + 1)) {
                assertThat(bin.millis(micros + 1)).isGreaterThanOrEqualTo(bin.millis(micros));
            }
        }
    }

    private static Object value(TimeBin bin, long micros) {
        return new TimeBinBlocks(bin).value(bin.millis(micros));
    }

    private static LongTimestampWithTimeZone timestamp(long micros) {
        return LongTimestampWithTimeZone.fromEpochMillisAndFraction(
                Math.floorDiv(micros, 1000), Math.floorMod(micros, 1000) * 1_000_000, TimeZoneKey.UTC_KEY);
    }
}
