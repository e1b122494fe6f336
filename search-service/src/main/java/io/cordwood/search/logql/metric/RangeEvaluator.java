package io.cordwood.search.logql.metric;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.search.logql.Grouping;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.RangeFunction;
import io.cordwood.search.logql.SampleExpression.RangeAggregation;
import io.cordwood.search.logql.line.LogLine;
import io.cordwood.search.logql.line.Pipeline;
import io.cordwood.search.logql.line.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** Computes a function of lines: reads them once, and adds each to the windows that it is in. */
final class RangeEvaluator {
    private final RangeAggregation function;
    private final Optional<Grouping> grouping;
    private final Windows windows;
    private final Budget budget;
    private final Pipeline pipeline;
    private final Map<SortedMap<String, String>, Accumulator> accumulators = new HashMap<>();
    private volatile Optional<RuntimeException> failure = Optional.empty();

    /** @param grouping how lines are combined to series; empty for one of each set of labels */
    RangeEvaluator(RangeAggregation function, Optional<Grouping> grouping, Steps steps, Budget budget) {
        this.function = function;
        this.grouping = function.function() == RangeFunction.ABSENT_OVER_TIME ? Optional.of(Grouping.ALL) : grouping;
        this.windows = new Windows(steps.before(function.offsetNanos()), function.rangeNanos());
        this.budget = budget;
        this.pipeline = new Pipeline(function.query().stages());
    }

    List<Series> evaluate(LineSource source) {
        List<Series> series = counted(source).orElseGet(() -> computed(source));
        return function.function() == RangeFunction.ABSENT_OVER_TIME ? absent(series) : series;
    }

    /** The series of a function that only counts, from counts. */
    private Optional<List<Series>> counted(LineSource source) {
        boolean counts = function.unwrap().isEmpty()
                && switch (function.function()) {
                    case COUNT_OVER_TIME, RATE, ABSENT_OVER_TIME -> true;
                    default -> false;
                };
        if (!counts || grouping.isEmpty() || grouping.get().without()) {
            return Optional.empty();
        }
        List<String> labels = grouping.get().labels().stream()
                .filter(label -> source.mayHave(function.query(), label))
                .distinct()
                .toList();
        if (labels.size() > 1) {
            return Optional.empty();
        }
        Optional<String> by = labels.stream().findFirst();
        return source.count(function.query(), by, windows).map(counted -> {
            List<Series> series = new ArrayList<>();
            counted.forEach((value, numbers) -> series.add(counted(by, value, numbers)));
            return series;
        });
    }

    private Series counted(Optional<String> by, String value, long[] numbers) {
        budget.takeSeries(numbers.length);
        SortedMap<String, String> labels = new TreeMap<>();
        by.filter(label -> !value.isEmpty()).ifPresent(label -> labels.put(label, value));
        Series series = Series.of(labels, numbers.length);
        double divisor = function.function() == RangeFunction.RATE ? windows.lengthNanos() / 1e9 : 1;
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] > 0) {
                series.set(i, numbers[i] / divisor);
            }
        }
        return series;
    }

    private List<Series> computed(LineSource source) {
        source.read(
                function.query(),
                NeededLabels.of(function, grouping),
                windows.afterNanos(),
                windows.toNanos(),
                this::visit);
        List<Series> all = new ArrayList<>();
        synchronized (this) {
            if (failure.isPresent()) {
                throw failure.get();
            }
            accumulators.forEach((labels, accumulator) -> {
                Series series = Series.of(labels, windows.ends().count());
                accumulator.finish(series);
                all.add(series);
            });
        }
        return all;
    }

    /** The first failure is thrown at the end: it is not one of the source. */
    private void visit(LogLine line) {
        if (failure.isPresent()) {
            return;
        }
        try {
            addLine(line);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private synchronized void fail(RuntimeException e) {
        if (failure.isEmpty()) {
            failure = Optional.of(e);
        }
    }

    private void addLine(LogLine line) {
        int from = windows.from(line.nanos());
        int to = windows.to(line.nanos());
        if (from >= to || !pipeline.keeps(line)) {
            return;
        }
        OptionalDouble value = value(line);
        if (line.hasError()) {
            throw new EvaluationException("pipeline error: '%s': %s. Remove such lines with | %s=\"\""
                    .formatted(line.label(LogLine.ERROR), line.label(LogLine.ERROR_DETAILS), LogLine.ERROR));
        }
        if (value.isPresent()) {
            add(labels(line), from, to, line.nanos(), value.getAsDouble());
        }
    }

    private OptionalDouble value(LogLine line) {
        if (function.unwrap().isPresent()) {
            return Sample.of(function.unwrap().get(), line);
        }
        return switch (function.function()) {
            case BYTES_OVER_TIME, BYTES_RATE -> OptionalDouble.of(line.line().getBytes(UTF_8).length);
            default -> OptionalDouble.of(1);
        };
    }

    private SortedMap<String, String> labels(LogLine line) {
        SortedMap<String, String> labels = new TreeMap<>();
        if (grouping.isPresent() && !grouping.get().without()) {
            for (String name : grouping.get().labels()) {
                String value = line.label(name);
                if (!value.isEmpty()) {
                    labels.put(name, value);
                }
            }
            return labels;
        }
        labels.putAll(line.stream());
        labels.putAll(line.parsed());
        grouping.ifPresent(by -> labels.keySet().removeAll(by.labels()));
        return labels;
    }

    private synchronized void add(SortedMap<String, String> labels, int from, int to, long nanos, double value) {
        if (failure.isPresent()) {
            return;
        }
        Accumulator accumulator = accumulators.get(labels);
        if (accumulator == null) {
            budget.takeSeries(windows.ends().count());
            accumulator = Accumulator.of(
                    function.function(),
                    function.unwrap().isPresent(),
                    function.parameter().orElse(0),
                    windows,
                    budget);
            accumulators.put(Collections.unmodifiableSortedMap(labels), accumulator);
        }
        accumulator.add(from, to, nanos, value);
    }

    /** A series that is 1 where there is no line. It has the labels that the selector asks for. */
    private List<Series> absent(List<Series> counts) {
        SortedMap<String, String> labels = new TreeMap<>();
        for (LabelMatcher matcher : function.query().selector()) {
            if (matcher.operator() == LabelMatcher.Operator.EQUAL) {
                labels.put(matcher.label(), matcher.value());
            }
        }
        Series absent = Series.of(labels, windows.ends().count());
        for (int i = 0; i < absent.values().length; i++) {
            int point = i;
            if (counts.stream().noneMatch(series -> series.present().get(point))) {
                absent.set(i, 1);
            }
        }
        return absent.present().isEmpty() ? List.of() : List.of(absent);
    }
}
