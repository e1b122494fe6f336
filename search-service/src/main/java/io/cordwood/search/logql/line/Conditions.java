package io.cordwood.search.logql.line;

import io.cordwood.search.logql.Comparison;
import io.cordwood.search.logql.LabelCondition;
import io.cordwood.search.logql.LabelMatcher;
import io.cordwood.search.logql.Units;
import java.util.OptionalDouble;

/** Evaluates conditions on labels. Stateless. */
public final class Conditions {
    private Conditions() {}

    /**
     * Whether a condition holds for a line. A value that cannot be read as a quantity is an error of the line, which is
     * kept, so that it can be seen.
     */
    public static boolean holds(LabelCondition condition, LogLine line) {
        return switch (condition) {
            case LabelCondition.And(LabelCondition left, LabelCondition right) ->
                holds(left, line) && holds(right, line);
            case LabelCondition.Or(LabelCondition left, LabelCondition right) ->
                holds(left, line) || holds(right, line);
            case LabelCondition.Text(LabelMatcher matcher) -> matcher.matches(line.label(matcher.label()));
            case LabelCondition.Quantity quantity -> line.hasError() || holds(quantity, line);
        };
    }

    private static boolean holds(LabelCondition.Quantity condition, LogLine line) {
        String text = line.label(condition.label());
        if (text.isEmpty()) {
            return false;
        }
        OptionalDouble value = value(condition.unit(), text);
        if (value.isEmpty()) {
            line.fail("LabelFilterErr", "'%s' of label '%s' cannot be compared".formatted(text, condition.label()));
            return true;
        }
        Comparison comparison = condition.comparison();
        return comparison.test(value.getAsDouble(), condition.value());
    }

    private static OptionalDouble value(LabelCondition.Unit unit, String text) {
        return switch (unit) {
            case NUMBER -> Numbers.parse(text);
            case DURATION ->
                Units.nanos(text).stream().mapToDouble(nanos -> (double) nanos).findFirst();
            case BYTES -> Units.bytes(text);
        };
    }
}
