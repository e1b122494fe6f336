package io.cordwood.search.logql.metric;

import com.google.re2j.Matcher;
import io.cordwood.search.logql.Grouping;
import io.cordwood.search.logql.SampleExpression;
import io.cordwood.search.logql.SampleExpression.BinaryOperation;
import io.cordwood.search.logql.SampleExpression.ConstantVector;
import io.cordwood.search.logql.SampleExpression.LabelReplace;
import io.cordwood.search.logql.SampleExpression.Literal;
import io.cordwood.search.logql.SampleExpression.RangeAggregation;
import io.cordwood.search.logql.SampleExpression.VectorAggregation;
import io.cordwood.search.logql.VectorFunction;
import io.cordwood.search.logql.regex.Matching;
import io.cordwood.search.logql.regex.Replacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Evaluates a query for numbers at points in time. Not thread-safe; for one query. */
public final class MetricEvaluator {
    private static final long MAX_LABEL_LENGTH = 1 << 16;

    private final LineSource source;
    private final Steps steps;
    private final Budget budget = new Budget();

    public MetricEvaluator(LineSource source, Steps steps) {
        this.source = source;
        this.steps = steps;
    }

    /** The result. @throws EvaluationException if there is none */
    public Result evaluate(SampleExpression expression) {
        return withoutEmpty(result(expression));
    }

    private static Result withoutEmpty(Result result) {
        return switch (result) {
            case Result.Scalar scalar -> scalar;
            case Result.Vector(List<Series> series) ->
                new Result.Vector(
                        series.stream().filter(one -> !one.present().isEmpty()).toList());
        };
    }

    private Result result(SampleExpression expression) {
        return switch (expression) {
            case Literal(double value) -> new Result.Scalar(value);
            case ConstantVector(double value) -> new Result.Vector(List.of(constant(value)));
            case RangeAggregation function -> new Result.Vector(range(function, function.grouping()));
            case VectorAggregation aggregation -> new Result.Vector(vector(aggregation));
            case BinaryOperation operation ->
                new BinaryEvaluator(operation, steps.count())
                        .evaluate(result(operation.left()), result(operation.right()));
            case LabelReplace replace -> new Result.Vector(replaced(replace));
        };
    }

    private Series constant(double value) {
        Series series = Series.of(new TreeMap<>(), steps.count());
        for (int i = 0; i < steps.count(); i++) {
            series.set(i, value);
        }
        return series;
    }

    private List<Series> range(RangeAggregation function, Optional<Grouping> grouping) {
        return new RangeEvaluator(function, grouping, steps, budget).evaluate(source);
    }

    private List<Series> vector(VectorAggregation aggregation) {
        if (aggregation.of() instanceof RangeAggregation function && isOfLines(aggregation.function(), function)) {
            return range(function, Optional.of(aggregation.grouping()));
        }
        return VectorEvaluator.evaluate(aggregation, series(aggregation.of()), steps.count());
    }

    /** Whether lines can be combined to the groups at once, without a series for each set of labels. */
    private static boolean isOfLines(VectorFunction outer, RangeAggregation inner) {
        return inner.grouping().isEmpty()
                && switch (inner.function()) {
                    case COUNT_OVER_TIME, RATE, BYTES_OVER_TIME, BYTES_RATE, SUM_OVER_TIME ->
                        outer == VectorFunction.SUM;
                    case MIN_OVER_TIME -> outer == VectorFunction.MIN;
                    case MAX_OVER_TIME -> outer == VectorFunction.MAX;
                    default -> false;
                };
    }

    private List<Series> series(SampleExpression expression) {
        return switch (result(expression)) {
            case Result.Vector(List<Series> series) -> series;
            case Result.Scalar _ ->
                throw new EvaluationException("a function of series got a number: use vector() to make a series of it");
        };
    }

    private List<Series> replaced(LabelReplace replace) {
        List<Series> results = new ArrayList<>();
        for (Series one : series(replace.of())) {
            String source = one.labels().getOrDefault(replace.source(), "");
            Matcher matcher = Matching.matcher(replace.pattern(), source);
            if (matcher.matches()) {
                SortedMap<String, String> labels = new TreeMap<>(one.labels());
                String value = expanded(replace.replacement(), matcher);
                labels.remove(replace.target());
                if (!value.isEmpty()) {
                    labels.put(replace.target(), value);
                }
                results.add(one.withLabels(labels));
            } else {
                results.add(one);
            }
        }
        return results;
    }

    private static String expanded(String replacement, Matcher matcher) {
        StringBuilder expanded = new StringBuilder();
        Replacement.expand(replacement, matcher, expanded, MetricEvaluator::requireLength);
        return expanded.toString();
    }

    private static void requireLength(long length) {
        if (length > MAX_LABEL_LENGTH) {
            throw new EvaluationException(
                    "label_replace makes a label longer than %,d characters".formatted(MAX_LABEL_LENGTH));
        }
    }
}
