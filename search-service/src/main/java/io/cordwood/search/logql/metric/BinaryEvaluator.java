package io.cordwood.search.logql.metric;

import io.cordwood.search.logql.BinaryOperator;
import io.cordwood.search.logql.SampleExpression.BinaryOperation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Computes operators between series and numbers. Immutable. */
final class BinaryEvaluator {
    private final BinaryOperation operation;
    private final BinaryOperator operator;
    private final int points;

    BinaryEvaluator(BinaryOperation operation, int points) {
        this.operation = operation;
        this.operator = operation.operator();
        this.points = points;
    }

    Result evaluate(Result left, Result right) {
        return switch (left) {
            case Result.Scalar(double leftValue) ->
                switch (right) {
                    case Result.Scalar(double rightValue) -> new Result.Scalar(operator.apply(leftValue, rightValue));
                    case Result.Vector(List<Series> series) -> each(series, value -> apply(leftValue, value, value));
                };
            case Result.Vector(List<Series> leftSeries) ->
                switch (right) {
                    case Result.Scalar(double rightValue) -> each(leftSeries, value -> apply(value, rightValue, value));
                    case Result.Vector(List<Series> rightSeries) ->
                        new Result.Vector(
                                operator.isSetOperator()
                                        ? combined(leftSeries, rightSeries)
                                        : matched(leftSeries, rightSeries));
                };
        };
    }

    @FunctionalInterface
    private interface PointFunction {
        Optional<Double> apply(double value);
    }

    /** The result of two numbers; empty where a comparison without {@code bool} is false. */
    private Optional<Double> apply(double left, double right, double kept) {
        double result = operator.apply(left, right);
        if (!operator.isComparison() || operation.returnsBool()) {
            return Optional.of(result);
        }
        return result == 1 ? Optional.of(kept) : Optional.empty();
    }

    private Result each(List<Series> series, PointFunction function) {
        List<Series> results = new ArrayList<>();
        for (Series one : series) {
            Series result = Series.of(one.labels(), points);
            for (int i = one.present().nextSetBit(0); i >= 0; i = one.present().nextSetBit(i + 1)) {
                int point = i;
                function.apply(one.values()[i]).ifPresent(value -> result.set(point, value));
            }
            results.add(result);
        }
        return new Result.Vector(results);
    }

    private SortedMap<String, String> key(Series series) {
        return GroupedLabels.chosen(
                series.labels(),
                operation.matching().labels(),
                operation.matching().on());
    }

    /** Each series of one side with the one of the other side whose labels match. */
    private List<Series> matched(List<Series> left, List<Series> right) {
        Map<SortedMap<String, String>, Series> rightByKey = unique(right, "right");
        List<Series> results = new ArrayList<>();
        unique(left, "left").forEach((key, one) -> {
            Series other = rightByKey.get(key);
            if (other != null) {
                Series result = Series.of(key, points);
                for (int i = 0; i < points; i++) {
                    if (one.present().get(i) && other.present().get(i)) {
                        int point = i;
                        apply(one.values()[i], other.values()[i], one.values()[i])
                                .ifPresent(value -> result.set(point, value));
                    }
                }
                results.add(result);
            }
        });
        return results;
    }

    private Map<SortedMap<String, String>, Series> unique(List<Series> series, String side) {
        Map<SortedMap<String, String>, Series> byKey = new HashMap<>();
        for (Series one : series) {
            Series other = byKey.put(key(one), one);
            if (other != null && other.present().intersects(one.present())) {
                throw new EvaluationException(
                        "several series on the %s side of '%s' have the labels %s: match by more labels, with on()"
                                .formatted(side, operator.symbol(), key(one)));
            }
            if (other != null) {
                byKey.put(key(one), merged(other, one));
            }
        }
        return byKey;
    }

    private Series merged(Series first, Series second) {
        Series merged = Series.of(first.labels(), points);
        for (int i = 0; i < points; i++) {
            if (first.present().get(i) || second.present().get(i)) {
                merged.set(i, first.present().get(i) ? first.values()[i] : second.values()[i]);
            }
        }
        return merged;
    }

    /** The operators of sets: what is kept of one side depends on where the other side has a number. */
    private List<Series> combined(List<Series> left, List<Series> right) {
        List<Series> results = new ArrayList<>();
        Map<SortedMap<String, String>, BitSet> presentRight = present(right);
        if (operator == BinaryOperator.OR) {
            Map<SortedMap<String, String>, BitSet> presentLeft = present(left);
            results.addAll(left);
            right.forEach(one -> results.add(kept(one, presentLeft.getOrDefault(key(one), new BitSet()), false)));
        } else {
            boolean isAnd = operator == BinaryOperator.AND;
            left.forEach(one -> results.add(kept(one, presentRight.getOrDefault(key(one), new BitSet()), isAnd)));
        }
        return results;
    }

    private Map<SortedMap<String, String>, BitSet> present(List<Series> series) {
        Map<SortedMap<String, String>, BitSet> present = new HashMap<>();
        series.forEach(
                one -> present.computeIfAbsent(key(one), any -> new BitSet()).or(one.present()));
        return present;
    }

    private static Series kept(Series series, BitSet others, boolean where) {
        BitSet present = (BitSet) series.present().clone();
        if (where) {
            present.and(others);
        } else {
            present.andNot(others);
        }
        return new Series(series.labels(), series.values(), present);
    }
}
