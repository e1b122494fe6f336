package io.cordwood.search.logql;

import java.util.List;

/**
 * The label whose value is the number of a line. Immutable.
 *
 * @param conversion how the value is read
 * @param conditions conditions on labels after it was read
 */
public record Unwrap(String label, Conversion conversion, List<LabelCondition> conditions) {
    /** How a value becomes a number. */
    public enum Conversion {
        NUMBER,
        /** A duration, in seconds. */
        DURATION,
        BYTES
    }

    public Unwrap {
        conditions = List.copyOf(conditions);
    }
}
