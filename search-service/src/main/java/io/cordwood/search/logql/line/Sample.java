package io.cordwood.search.logql.line;

import io.cordwood.search.logql.Units;
import io.cordwood.search.logql.Unwrap;
import java.util.OptionalDouble;

/** Reads the number of a line from one of its labels. Stateless. */
public final class Sample {
    private static final double NANOS_PER_SECOND = 1e9;

    private Sample() {}

    /** The number; empty if the line has no such label, or a condition does not hold. */
    public static OptionalDouble of(Unwrap unwrap, LogLine line) {
        String text = line.label(unwrap.label());
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        OptionalDouble number = number(unwrap.conversion(), text);
        if (number.isEmpty()) {
            line.fail("SampleExtractionErr", "'%s' of label '%s' is no number".formatted(text, unwrap.label()));
        }
        line.remove(unwrap.label());
        boolean holds = unwrap.conditions().stream().allMatch(condition -> Conditions.holds(condition, line));
        return holds ? OptionalDouble.of(number.orElse(0)) : OptionalDouble.empty();
    }

    private static OptionalDouble number(Unwrap.Conversion conversion, String text) {
        return switch (conversion) {
            case NUMBER -> Numbers.parse(text);
            case DURATION ->
                Units.nanos(text).stream()
                        .mapToDouble(nanos -> nanos / NANOS_PER_SECOND)
                        .findFirst();
            case BYTES -> Units.bytes(text);
        };
    }
}
