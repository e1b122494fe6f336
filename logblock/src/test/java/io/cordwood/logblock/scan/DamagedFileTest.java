package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.testing.SampleRows;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Damage is an error that names the file, or changes nothing: never an endless loop, never memory without bound. */
class DamagedFileTest {
    @Test
    void anyFlippedBitIsNoticedOrHarmless() throws IOException {
        SampleRows sample = new SampleRows(11, 1500);
        byte[] bytes = sample.write(SampleRows.SMALL_BLOCKS);
        Predicate predicate = new Predicate.And(List.of(
                new Predicate.IsNull(SampleRows.NOTE),
                new Predicate.Not(new Predicate.In(
                        SampleRows.LATENCY,
                        List.of(new Predicate.ValueRange(Optional.of(250L), true, Optional.empty(), false))))));
        int[] expected = select(bytes, predicate);
        Random random = new Random(11);
        int noticed = 0;
        for (int i = 0; i < 1500; i++) {
            byte[] damaged = bytes.clone();
            // Half of the damage goes to footer and page indexes, which are read first.
            int from = i % 2 == 0 ? 0 : bytes.length - bytes.length / 8;
            int at = from + random.nextInt(bytes.length - from);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            noticed += Assertions.assertTimeoutPreemptively(
                            Duration.ofSeconds(20), () -> readsOrSaysWhich(damaged, predicate, expected.length))
                    ? 0
                    : 1;
        }
        assertThat(noticed).isPositive();
    }

    /** Whether everything could be read; errors name the file. */
    private static boolean readsOrSaysWhich(byte[] damaged, Predicate predicate, int expected) {
        try {
            int[] found = select(damaged, predicate);
            LogBlock block = LogBlockTest.open(damaged);
            for (Column column : SampleRows.SCHEMA.columns()) {
                block.cursor(column, new ReadMetrics()).read(found, 0, found.length);
            }
            return found.length == expected;
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("memory");
            return false;
        }
    }

    private static int[] select(byte[] bytes, Predicate predicate) throws IOException {
        return LogBlockTest.open(bytes)
                .select(TimeRange.ALL, predicate, ReadOptions.DEFAULTS, new ReadMetrics())
                .toArray();
    }

    @Test
    void garbageIsRefusedWithItsName() {
        byte[] garbage = new byte[10_000];
        new Random(3).nextBytes(garbage);
        System.arraycopy(new byte[] {100, 0, 0, 0, 'P', 'A', 'R', '1'}, 0, garbage, garbage.length - 8, 8);
        assertThatThrownBy(() -> LogBlockTest.open(garbage))
                .isInstanceOf(LogBlockException.class)
                .hasMessageContaining("memory");
    }
}
