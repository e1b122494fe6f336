package io.cordwood.search.logql.metric;

import java.util.Arrays;

/** Quantiles, for which all numbers are kept. Not thread-safe. */
final class Quantiles implements Accumulator {
    private final double quantile;
    private final Budget budget;
    private final double[][] values;
    private final int[] counts;

    Quantiles(int points, double quantile, Budget budget) {
        this.quantile = quantile;
        this.budget = budget;
        this.values = new double[points][0];
        this.counts = new int[points];
    }

    @Override
    public void add(int from, int to, long nanos, double value) {
        budget.takeValues(to - from);
        for (int i = from; i < to; i++) {
            if (counts[i] == values[i].length) {
                values[i] = Arrays.copyOf(values[i], Math.max(4, 2 * counts[i]));
            }
            values[i][counts[i]++] = value;
        }
    }

    @Override
    public void finish(Series series) {
        for (int i = 0; i < values.length; i++) {
            if (counts[i] > 0) {
                double[] sorted = Arrays.copyOf(values[i], counts[i]);
                Arrays.sort(sorted);
                series.set(i, of(sorted));
            }
        }
    }

    private double of(double[] sorted) {
        if (Double.isNaN(quantile)) {
            return Double.NaN;
        }
        if (quantile < 0 || quantile > 1) {
            return quantile < 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        double rank = quantile * (sorted.length - 1);
        int lower = (int) Math.floor(rank);
        int upper = Math.min(sorted.length - 1, lower + 1);
        double weight = rank - lower;
        return sorted[lower] * (1 - weight) + sorted[upper] * weight;
    }
}
