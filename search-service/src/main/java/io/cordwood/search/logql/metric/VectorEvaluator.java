package io.cordwood.search.logql.metric;

import io.cordwood.search.logql.SampleExpression.VectorAggregation;
import io.cordwood.search.logql.VectorFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Computes functions of series, point by point. Stateless. */
final class VectorEvaluator {
    private VectorEvaluator() {}

    static List<Series> evaluate(VectorAggregation aggregation, List<Series> series, int points) {
        if (aggregation.function() == VectorFunction.SORT || aggregation.function() == VectorFunction.SORT_DESC) {
            return sorted(series, aggregation.function() == VectorFunction.SORT_DESC);
        }
        Map<SortedMap<String, String>, List<Series>> groups = new LinkedHashMap<>();
        for (Series one : series) {
            groups.computeIfAbsent(GroupedLabels.of(aggregation.grouping(), one.labels()), any -> new ArrayList<>())
                    .add(one);
        }
        List<Series> result = new ArrayList<>();
        groups.forEach((labels, members) -> {
            switch (aggregation.function()) {
                case TOPK -> result.addAll(first(members, aggregation.number(), true, points));
                case BOTTOMK -> result.addAll(first(members, aggregation.number(), false, points));
                default -> result.add(combined(aggregation.function(), labels, members, points));
            }
        });
        boolean isTop = aggregation.function() == VectorFunction.TOPK;
        return isTop || aggregation.function() == VectorFunction.BOTTOMK ? sorted(result, isTop) : result;
    }

    /** By the number, where there is one point; over several points an order has no meaning. */
    private static List<Series> sorted(List<Series> series, boolean descending) {
        boolean isOfOnePoint = series.stream().allMatch(one -> one.values().length == 1);
        Comparator<Series> order = Comparator.comparingDouble(one -> one.values()[0]);
        return isOfOnePoint
                ? series.stream().sorted(descending ? order.reversed() : order).toList()
                : series;
    }

    private static Series combined(
            VectorFunction function, SortedMap<String, String> labels, List<Series> members, int points) {
        Series result = Series.of(labels, points);
        for (int i = 0; i < points; i++) {
            int point = i;
            double[] values = members.stream()
                    .filter(member -> member.present().get(point))
                    .mapToDouble(member -> member.values()[point])
                    .toArray();
            if (values.length > 0) {
                result.set(i, combined(function, values));
            }
        }
        return result;
    }

    private static double combined(VectorFunction function, double[] values) {
        return switch (function) {
            case SUM -> sum(values);
            case AVG -> sum(values) / values.length;
            case MIN -> extreme(values, true);
            case MAX -> extreme(values, false);
            case COUNT -> values.length;
            case STDVAR -> variance(values);
            case STDDEV -> Math.sqrt(variance(values));
            case TOPK, BOTTOMK, SORT, SORT_DESC -> throw new IllegalStateException("Not of one series: " + function);
        };
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    private static double extreme(double[] values, boolean least) {
        double extreme = values[0];
        for (double value : values) {
            boolean isBetter = least ? value < extreme : value > extreme;
            extreme = isBetter || Double.isNaN(extreme) ? value : extreme;
        }
        return extreme;
    }

    private static double variance(double[] values) {
        double mean = sum(values) / values.length;
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return squares / values.length;
    }

    /** At each point the series with the largest or the least numbers. */
    private static List<Series> first(List<Series> members, int number, boolean largest, int points) {
        Map<Series, Series> chosen = new LinkedHashMap<>();
        for (int i = 0; i < points; i++) {
            int point = i;
            Comparator<Series> order = Comparator.comparingDouble(member -> member.values()[point]);
            members.stream()
                    .filter(member -> member.present().get(point))
                    .sorted((largest ? order.reversed() : order)
                            .thenComparing(member -> member.labels().toString()))
                    .limit(number)
                    .forEach(member -> chosen.computeIfAbsent(member, any -> Series.of(member.labels(), points))
                            .set(point, member.values()[point]));
        }
        return List.copyOf(chosen.values());
    }
}
