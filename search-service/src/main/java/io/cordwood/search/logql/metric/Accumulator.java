package io.cordwood.search.logql.metric;

import io.cordwood.search.logql.RangeFunction;

/** Computes a function of the lines in each window of one series. Not thread-safe. */
interface Accumulator {
    /** Adds a number to the windows from one, included, to another one, excluded. */
    void add(int from, int to, long nanos, double value);

    /** Sets the results of the windows that have a line. */
    void finish(Series series);

    /** The accumulator of a function. */
    static Accumulator of(
            RangeFunction function, boolean isOfNumbers, double quantile, Windows windows, Budget budget) {
        int points = windows.ends().count();
        double seconds = windows.lengthNanos() / 1e9;
        return switch (function) {
            case COUNT_OVER_TIME, BYTES_OVER_TIME, ABSENT_OVER_TIME -> new Totals(points, 1);
            case BYTES_RATE -> new Totals(points, seconds);
            case RATE -> isOfNumbers ? new Sums(points, seconds) : new Totals(points, seconds);
            case SUM_OVER_TIME -> new Sums(points, 1);
            case AVG_OVER_TIME, STDDEV_OVER_TIME, STDVAR_OVER_TIME -> new Moments(points, function);
            case MIN_OVER_TIME, MAX_OVER_TIME -> new Extremes(points, function == RangeFunction.MIN_OVER_TIME);
            case FIRST_OVER_TIME, LAST_OVER_TIME -> new Ends(points, function == RangeFunction.FIRST_OVER_TIME);
            case QUANTILE_OVER_TIME -> new Quantiles(points, quantile, budget);
        };
    }

    /** Sums of whole numbers: only the changes from window to window are kept. */
    final class Totals implements Accumulator {
        private final double[] changes;
        private final long[] lines;
        private final double divisor;

        Totals(int points, double divisor) {
            this.changes = new double[points + 1];
            this.lines = new long[points + 1];
            this.divisor = divisor;
        }

        @Override
        public void add(int from, int to, long nanos, double value) {
            changes[from] += value;
            changes[to] -= value;
            lines[from]++;
            lines[to]--;
        }

        @Override
        public void finish(Series series) {
            double total = 0;
            long count = 0;
            for (int i = 0; i < series.values().length; i++) {
                total += changes[i];
                count += lines[i];
                if (count > 0) {
                    series.set(i, total / divisor);
                }
            }
        }
    }

    /** Sums of any numbers. */
    final class Sums implements Accumulator {
        private final double[] sums;
        private final long[] counts;
        private final double divisor;

        Sums(int points, double divisor) {
            this.sums = new double[points];
            this.counts = new long[points];
            this.divisor = divisor;
        }

        @Override
        public void add(int from, int to, long nanos, double value) {
            for (int i = from; i < to; i++) {
                sums[i] += value;
                counts[i]++;
            }
        }

        @Override
        public void finish(Series series) {
            for (int i = 0; i < sums.length; i++) {
                if (counts[i] > 0) {
                    series.set(i, sums[i] / divisor);
                }
            }
        }
    }

    /** Means and variances, by Welford's method. */
    final class Moments implements Accumulator {
        private final RangeFunction function;
        private final long[] counts;
        private final double[] means;
        private final double[] squares;

        Moments(int points, RangeFunction function) {
            this.function = function;
            this.counts = new long[points];
            this.means = new double[points];
            this.squares = new double[points];
        }

        @Override
        public void add(int from, int to, long nanos, double value) {
            for (int i = from; i < to; i++) {
                counts[i]++;
                double distance = value - means[i];
                means[i] += distance / counts[i];
                squares[i] += distance * (value - means[i]);
            }
        }

        @Override
        public void finish(Series series) {
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    double variance = squares[i] / counts[i];
                    series.set(
                            i,
                            switch (function) {
                                case STDVAR_OVER_TIME -> variance;
                                case STDDEV_OVER_TIME -> Math.sqrt(variance);
                                default -> means[i];
                            });
                }
            }
        }
    }

    /** The least or the largest numbers. */
    final class Extremes implements Accumulator {
        private final boolean isLeast;
        private final double[] values;
        private final boolean[] present;

        Extremes(int points, boolean isLeast) {
            this.isLeast = isLeast;
            this.values = new double[points];
            this.present = new boolean[points];
        }

        @Override
        public void add(int from, int to, long nanos, double value) {
            for (int i = from; i < to; i++) {
                boolean isBetter = !present[i] || (isLeast ? value < values[i] : value > values[i]);
                values[i] = isBetter ? value : values[i];
                present[i] = true;
            }
        }

        @Override
        public void finish(Series series) {
            for (int i = 0; i < values.length; i++) {
                if (present[i]) {
                    series.set(i, values[i]);
                }
            }
        }
    }

    /** The numbers of the first or the last lines; of those with the same time the least or the largest. */
    final class Ends implements Accumulator {
        private final boolean isFirst;
        private final long[] times;
        private final double[] values;
        private final boolean[] present;

        Ends(int points, boolean isFirst) {
            this.isFirst = isFirst;
            this.times = new long[points];
            this.values = new double[points];
            this.present = new boolean[points];
        }

        @Override
        public void add(int from, int to, long nanos, double value) {
            for (int i = from; i < to; i++) {
                int order = Long.compare(nanos, times[i]);
                order = order == 0 ? Double.compare(value, values[i]) : order;
                if (!present[i] || (isFirst ? order < 0 : order > 0)) {
                    times[i] = nanos;
                    values[i] = value;
                    present[i] = true;
                }
            }
        }

        @Override
        public void finish(Series series) {
            for (int i = 0; i < values.length; i++) {
                if (present[i]) {
                    series.set(i, values[i]);
                }
            }
        }
    }
}
