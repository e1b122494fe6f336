package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Pace;
import io.cordwood.search.logql.SampleExpression;
import io.cordwood.search.logql.metric.MetricEvaluator;
import io.cordwood.search.logql.metric.Result;
import io.cordwood.search.logql.metric.Steps;
import io.cordwood.search.logql.regex.Matching;
import java.io.IOException;

/** Evaluates queries for numbers. Stateless. */
final class SampleQuery {
    /** Loki's own limits. */
    private static final long MAX_POINTS = 11_000;

    private static final int MAX_SERIES = 500;

    private SampleQuery() {}

    /** The points of a range query. @throws ApiException if there are too many */
    static Steps steps(LokiParameters parameters, LokiParameters.Bounds bounds) {
        long step = parameters.step(bounds);
        long length = bounds.end() - bounds.start();
        if (length < 0 || length / step > MAX_POINTS) {
            throw ApiException.invalid("exceeded maximum resolution of %,d points per time series: use a larger 'step'"
                    .formatted(MAX_POINTS));
        }
        return new Steps(bounds.start(), step, Math.toIntExact(length / step) + 1);
    }

    /** Answers a query. */
    static void answer(LokiQuestion question, SampleExpression expression, Steps steps, boolean isRange, Output output)
            throws IOException {
        MetricEvaluator evaluator = new MetricEvaluator(new TableLines(question), steps);
        Result result =
                Matching.call(new Pace(question::checkLimits, question.worked()), () -> evaluator.evaluate(expression));
        int series = result instanceof Result.Vector vector ? vector.series().size() : 1;
        if (series > MAX_SERIES) {
            throw ApiException.invalid(
                    "maximum of series (%d) reached for a single query: aggregate by fewer labels, or use topk"
                            .formatted(MAX_SERIES));
        }
        LokiBody.write(output, json -> {
            json.writeStartObject();
            SamplesBody.write(json, result, steps, isRange);
            LokiBody.writeStatistics(json, question, series);
            json.writeEndObject();
        });
    }
}
