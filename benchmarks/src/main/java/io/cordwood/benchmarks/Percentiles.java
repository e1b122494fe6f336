package io.cordwood.benchmarks;

import java.util.Arrays;
import java.util.List;

/** Median and percentiles of a few measurements. Immutable. */
record Percentiles(double[] sorted) {
    static Percentiles of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Percentiles(sorted);
    }

    static Percentiles of(List<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    double at(double share) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * (sorted.length - 1)))];
    }

    double median() {
        return at(0.5);
    }
}
