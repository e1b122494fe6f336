package io.cordwood.search.logql.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cordwood.search.logql.RangeFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Each function against its definition, on numbers at times that are their indexes. */
class AccumulatorTest {
    private static final int STEP = 3;
    private static final double QUANTILE = 0.7;

    @Property
    void functionsAreWhatTheirNamesSay(
            @ForAll RangeFunction function,
            @ForAll @Size(min = 1, max = 30) List<@IntRange(min = -100, max = 100) Integer> numbers,
            @ForAll @IntRange(min = 1, max = 10) int length) {
        Windows windows = new Windows(new Steps(0, STEP, 1 + numbers.size() / STEP), length);
        Accumulator accumulator = Accumulator.of(function, true, QUANTILE, windows, new Budget());
        for (int time = 0; time < numbers.size(); time++) {
            int from = windows.from(time);
            int to = windows.to(time);
            if (from < to) {
                accumulator.add(from, to, time, numbers.get(time));
            }
        }
        Series series = Series.of(new TreeMap<>(), windows.ends().count());
        accumulator.finish(series);
        for (int i = 0; i < windows.ends().count(); i++) {
            List<Integer> within = new ArrayList<>();
            for (int time = 0; time < numbers.size(); time++) {
                if (time > i * STEP - length && time <= i * STEP) {
                    within.add(numbers.get(time));
                }
            }
            assertThat(series.present().get(i)).isEqualTo(!within.isEmpty());
            if (!within.isEmpty()) {
                assertThat(series.values()[i])
                        .isCloseTo(
                                expected(function, within, length / 1e9),
                                within(1e-6 + 1e-9 * Math.abs(series.values()[i])));
            }
        }
    }

    private static double expected(RangeFunction function, List<Integer> numbers, double seconds) {
        double sum = numbers.stream().mapToInt(number -> number).sum();
        double mean = sum / numbers.size();
        double variance = numbers.stream()
                        .mapToDouble(number -> (number - mean) * (number - mean))
                        .sum()
                / numbers.size();
        return switch (function) {
            case COUNT_OVER_TIME, BYTES_OVER_TIME, ABSENT_OVER_TIME, SUM_OVER_TIME -> sum;
            case RATE, BYTES_RATE -> sum / seconds;
            case AVG_OVER_TIME -> mean;
            case STDVAR_OVER_TIME -> variance;
            case STDDEV_OVER_TIME -> Math.sqrt(variance);
            case MIN_OVER_TIME ->
                numbers.stream().mapToInt(number -> number).min().orElseThrow();
            case MAX_OVER_TIME ->
                numbers.stream().mapToInt(number -> number).max().orElseThrow();
            case FIRST_OVER_TIME -> numbers.getFirst();
            case LAST_OVER_TIME -> numbers.getLast();
            case QUANTILE_OVER_TIME -> quantile(numbers.stream().sorted().toList());
        };
    }

    private static double quantile(List<Integer> sorted) {
        double rank = QUANTILE * (sorted.size() - 1);
        int below = (int) rank;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (rank - below) * (sorted.get(above) - sorted.get(below));
    }
}
