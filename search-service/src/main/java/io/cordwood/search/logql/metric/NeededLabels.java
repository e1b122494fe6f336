package io.cordwood.search.logql.metric;

import io.cordwood.search.logql.Grouping;
import io.cordwood.search.logql.LabelCondition;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.SampleExpression.RangeAggregation;
import io.cordwood.search.logql.Stage;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The labels of lines that a function needs. Immutable.
 *
 * @param all whether it may need any label; otherwise only the named ones
 * @param ofStream whether it needs all labels of streams
 * @param names the labels
 * @param line whether it needs the line itself
 */
public record NeededLabels(boolean all, boolean ofStream, Set<String> names, boolean line) {
    /** The labels of streams. */
    public static final NeededLabels OF_STREAM = new NeededLabels(false, true, Set.of(), false);

    public NeededLabels {
        names = Set.copyOf(names);
    }

    static NeededLabels of(RangeAggregation function, Optional<Grouping> grouping) {
        Set<String> names = new HashSet<>();
        function.query().selector().stream().map(LabelMatcher::label).forEach(names::add);
        boolean all = false;
        boolean line = false;
        for (Stage stage : function.query().stages()) {
            switch (stage) {
                case Stage.LabelFilter(LabelCondition condition) -> add(condition, names);
                case Stage.LineFilter _ -> line = true;
                case Stage.Decolorize _ -> line = true;
                // A parser renames what is there already, a template refers to any label
                case Stage.Json _,
                        Stage.Logfmt _,
                        Stage.Regexp _,
                        Stage.Capture _,
                        Stage.Unpack _,
                        Stage.LineFormat _,
                        Stage.LabelFormat _,
                        Stage.Drop _,
                        Stage.Keep _ -> all = true;
            }
        }
        function.unwrap().ifPresent(unwrap -> {
            names.add(unwrap.label());
            unwrap.conditions().forEach(condition -> add(condition, names));
        });
        boolean ofStream = grouping.isEmpty() || grouping.get().without();
        grouping.filter(by -> !by.without()).ifPresent(by -> names.addAll(by.labels()));
        boolean countsBytes = switch (function.function()) {
            case BYTES_OVER_TIME, BYTES_RATE -> true;
            default -> false;
        };
        return new NeededLabels(all, ofStream, names, all || line || countsBytes);
    }

    private static void add(LabelCondition condition, Set<String> names) {
        switch (condition) {
            case LabelCondition.And(LabelCondition left, LabelCondition right) -> {
                add(left, names);
                add(right, names);
            }
            case LabelCondition.Or(LabelCondition left, LabelCondition right) -> {
                add(left, names);
                add(right, names);
            }
            case LabelCondition.Text(LabelMatcher matcher) -> names.add(matcher.label());
            case LabelCondition.Quantity quantity -> names.add(quantity.label());
        }
    }
}
