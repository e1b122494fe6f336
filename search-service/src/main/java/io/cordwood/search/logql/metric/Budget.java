package io.cordwood.search.logql.metric;

/** Bounds the memory of a query. Not thread-safe. */
final class Budget {
    private static final int MAX_SERIES = 20_000;
    private static final long MAX_POINTS = 500_000;
    private static final long MAX_VALUES = 1_000_000;

    private long series;
    private long points;
    private long values;

    /** Takes one more series. @throws EvaluationException if there are too many */
    void takeSeries(int itsPoints) {
        series++;
        points += itsPoints;
        if (series > MAX_SERIES || points > MAX_POINTS) {
            throw new EvaluationException(
                    "the query has more than %,d series or %,d points: aggregate by fewer labels, or use a larger step"
                            .formatted(MAX_SERIES, MAX_POINTS));
        }
    }

    /** Takes numbers that are kept until the end. @throws EvaluationException if there are too many */
    void takeValues(int more) {
        values += more;
        if (values > MAX_VALUES) {
            throw new EvaluationException(
                    "quantile_over_time has more than %,d numbers in its ranges: use a shorter range or a larger step"
                            .formatted(MAX_VALUES));
        }
    }
}
