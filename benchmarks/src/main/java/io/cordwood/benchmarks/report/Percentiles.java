package io.cordwood.benchmarks.report;

import java.util.Arrays;
import java.util.List;

/** Median and percentiles of a few measurements. Immutable. */
public record Percentiles(double[] sorted) {
    public static Percentiles of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Percentiles(sorted);
    }

    public static Percentiles of(List<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    public double at(double share) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * (sorted.length - 1)))];
    }

    public double median() {
        return at(0.5);
    }
}
