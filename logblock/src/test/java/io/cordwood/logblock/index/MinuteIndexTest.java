package io.cordwood.logblock.index;

import static io.cordwood.logblock.index.MinuteIndex.MINUTE_MICROS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class MinuteIndexTest {
    /** Ascending times from {@code first} on, some equal, over {@code minutes} minutes. */
    private static long[] times(int rows, long first, int minutes, long seed) {
        return new Random(seed)
                .longs(rows, 0, minutes * MINUTE_MICROS)
                .map(micros -> first + micros - micros % 500_000)
                .sorted()
                .toArray();
    }

    private static ByteSink written(long[] times, int rowGroup) {
        MinuteIndex.Builder builder = new MinuteIndex.Builder();
        for (int from = 0; from < times.length; from += rowGroup) {
            long[] group = Arrays.copyOfRange(times, from, Math.min(times.length, from + rowGroup));
            builder.add(group, group.length);
        }
        ByteSink out = new ByteSink(64);
        builder.write(out);
        return out;
    }

    private static MinuteIndex read(ByteSink bytes, int rows) {
        return MinuteIndex.read(new ByteSource(bytes.bytes(), 0, bytes.size()), rows);
    }

    private static int firstAtLeast(long[] times, long micros) {
        int row = 0;
        while (row < times.length && times[row] < micros) {
            row++;
        }
        return row;
    }

    @Property(tries = 200)
    void knowsTheRowsOfEachMinute(
            @ForAll @IntRange(min = 1, max = 3000) int rows,
            @ForAll @IntRange(min = 1, max = 50) int minutes,
            @ForAll @LongRange(min = -1_000_000_000_000_000L, max = 4_000_000_000_000_000L) long first,
            @ForAll long seed) {
        long[] times = times(rows, first, minutes, seed);
        long distinct = Arrays.stream(times)
                .map(time -> Math.floorDiv(time, MINUTE_MICROS))
                .distinct()
                .count();
        MinuteIndex index = read(written(times, 700), rows);

        assertThat(index.size()).isEqualTo(distinct <= rows / MinuteIndex.MIN_ROWS ? (int) distinct : 0);
        for (int row = 0; row < rows && !index.isEmpty(); row++) {
            int position = index.positionOf(row);
            assertThat(row).isBetween(index.fromRow(position), index.endRow(position) - 1);
            assertThat(index.fromMicros(position)).isEqualTo(Math.floorDiv(times[row], MINUTE_MICROS) * MINUTE_MICROS);
        }
        for (long micros = times[0] - MINUTE_MICROS;
                micros <= times[rows - 1] + MINUTE_MICROS && !index.isEmpty();
                micros += 17_777_777) {
            assertThat(firstAtLeast(times, micros))
                    .isBetween(index.firstCandidate(micros), index.lastCandidate(micros));
            long minute = Math.floorDiv(micros, MINUTE_MICROS) * MINUTE_MICROS;
            assertThat(index.firstCandidate(minute))
                    .as("the first row of a whole minute is exact")
                    .isEqualTo(firstAtLeast(times, minute))
                    .isEqualTo(index.lastCandidate(minute));
        }
    }

    @Test
    void timesAtTheEndsOfTheirRangeHaveNoMinutes() {
        long[] lowest = new long[64];
        Arrays.fill(lowest, Long.MIN_VALUE);
        long[] highest = new long[64];
        Arrays.fill(highest, Long.MAX_VALUE);
        assertThat(read(written(lowest, 10), 64).isEmpty()).isTrue();
        assertThat(read(written(highest, 10), 64).isEmpty()).isTrue();
        assertThat(read(written(new long[64], 10), 64).size()).isEqualTo(1);
    }

    @Test
    void minutesOfOtherRowsAreRefused() {
        ByteSink bytes = written(new long[64], 64);
        assertThatThrownBy(() -> read(bytes, 65)).hasMessage("minutes of 64 rows for 65 rows");
        assertThatThrownBy(() -> read(bytes, 0)).hasMessage("1 minutes for 0 rows");
    }
}
