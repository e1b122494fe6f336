package io.cordwood.search.logql.metric;

import java.util.List;

/** What a query for numbers gives. Immutable. */
public sealed interface Result {
    /** One number, at every time. */
    record Scalar(double value) implements Result {}

    /** Series, each of which has a number at some point. */
    record Vector(List<Series> series) implements Result {
        public Vector {
            series = List.copyOf(series);
        }
    }
}
