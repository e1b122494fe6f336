package io.cordwood.search.loki;

import io.cordwood.search.logql.Grouping;
import io.cordwood.search.logql.LogQl;
import io.cordwood.search.logql.LogQuery;
import io.cordwood.search.logql.RangeFunction;
import io.cordwood.search.logql.SampleExpression;
import io.cordwood.search.logql.VectorFunction;
import io.cordwood.search.logql.metric.MetricEvaluator;
import io.cordwood.search.logql.metric.Result;
import io.cordwood.search.logql.metric.Steps;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How many lines, or bytes of lines, a selector is about. Not thread-safe; for one question.
 *
 * @param selector the parameter {@code query} without its stages
 */
record LineVolume(LokiQuestion question, LogQuery selector, LokiParameters.Bounds bounds) {
    private static final long DEFAULT_SINCE = Duration.ofHours(1).toNanos();

    static LineVolume of(LokiQuestion question) {
        LogQuery query = LogQl.parseLogQuery(question.parameters().query());
        return new LineVolume(
                question,
                new LogQuery(query.selector(), List.of()),
                question.parameters().bounds(DEFAULT_SINCE));
    }

    /** The volume of the whole time range, at its end. */
    Result atEnd(RangeFunction function, Grouping grouping) {
        // A range includes its end, but not its beginning
        return evaluate(function, grouping, Steps.at(bounds.end() - 1), bounds.end() - bounds.start());
    }

    /** The volume of each step. */
    Result overTime(RangeFunction function, Grouping grouping, Steps steps) {
        return evaluate(function, grouping, steps, steps.stepNanos());
    }

    private Result evaluate(RangeFunction function, Grouping grouping, Steps steps, long rangeNanos) {
        SampleExpression volume = new SampleExpression.VectorAggregation(
                VectorFunction.SUM,
                0,
                new SampleExpression.RangeAggregation(
                        function, OptionalDouble.empty(), selector, Optional.empty(), rangeNanos, 0, Optional.empty()),
                grouping);
        return new MetricEvaluator(new TableLines(question), steps).evaluate(volume);
    }
}
