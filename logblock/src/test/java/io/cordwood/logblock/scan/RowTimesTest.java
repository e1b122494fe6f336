package io.cordwood.logblock.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.testing.SampleRows;
import io.cordwood.logblock.vector.LongVector;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTimesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 1024, 1025, 5000})
    void boundsHoldAndTimesAreThoseOfTheRows(int rows) throws IOException {
        SampleRows sample = new SampleRows(rows, rows);
        long[] expected = ((LongVector) sample.vectors.get(1)).values();
        LogBlock block = LogBlockTest.open(sample.write(SampleRows.SMALL_BLOCKS));
        for (ReadOptions options : SampleRows.ALL_OPTIONS) {
            RowTimes times = block.times(options, new ReadMetrics());
            for (int row = 0; row < rows; row++) {
                RowTimes.Span span = times.around(row);
                assertThat(row).isBetween(span.fromRow(), span.endRow() - 1);
                assertThat(span.endRow()).isLessThanOrEqualTo(times.blockEnd(row));
                times.minute(row).ifPresent(minute -> {
                    assertThat(expected[minute.fromRow()])
                            .isGreaterThanOrEqualTo(minute.times().fromMicros());
                    assertThat(expected[minute.endRow() - 1])
                            .isLessThanOrEqualTo(minute.times().toMicros());
                });
                for (int each = span.fromRow(); each < span.endRow(); each++) {
                    assertThat(expected[each])
                            .isBetween(span.times().fromMicros(), span.times().toMicros());
                }
                assertThat(times.time(row)).isEqualTo(expected[row]);
            }
        }
    }

    @Test
    void minutesCostNoReadInAnyOrder() throws IOException {
        int rows = 5000;
        SampleRows sample = new SampleRows(1, rows);
        long[] expected = ((LongVector) sample.vectors.get(1)).values();
        LogBlock block = LogBlockTest.open(sample.write(SampleRows.SMALL_BLOCKS));
        ReadMetrics metrics = new ReadMetrics();
        RowTimes times = block.times(ReadOptions.DEFAULTS, metrics);
        for (int i = 0; i < rows; i++) {
            int row = i % 3 == 0 ? rows - 1 - i : i;
            RowTimes.Span minute = times.minute(row).orElseThrow();
            assertThat(row).isBetween(minute.fromRow(), minute.endRow() - 1);
            assertThat(expected[row])
                    .isBetween(minute.times().fromMicros(), minute.times().toMicros());
        }
        assertThat(metrics.requests.sum()).isZero();
        assertThat(block.times(new ReadOptions(true, false, true), metrics).minute(0))
                .isEmpty();
    }

    @Test
    void boundsCostNoRead() throws IOException {
        int rows = 5000;
        LogBlock block = LogBlockTest.open(new SampleRows(1, rows).write(SampleRows.SMALL_BLOCKS));
        block.times(ReadOptions.DEFAULTS, new ReadMetrics()).around(0);
        ReadMetrics metrics = new ReadMetrics();
        RowTimes times = block.times(ReadOptions.DEFAULTS, metrics);
        for (int row = 0; row < rows; row++) {
            assertThat(times.around(row).times()).isNotEqualTo(TimeRange.ALL);
        }
        assertThat(metrics.requests.sum()).isZero();
        assertThat(times.time(rows - 1)).isPositive();
        assertThat(metrics.columnBlocksRead.sum()).isEqualTo(1);
    }
}
