package io.cordwood.search.logql;

/** A condition of a label filter. Immutable. */
public sealed interface LabelCondition {
    record And(LabelCondition left, LabelCondition right) implements LabelCondition {}

    record Or(LabelCondition left, LabelCondition right) implements LabelCondition {}

    /** A condition on a value as text. */
    record Text(LabelMatcher matcher) implements LabelCondition {}

    /**
     * A condition on a value that is read as a quantity.
     *
     * @param unit how it is read
     * @param value what it is compared with: a number, nanoseconds or bytes
     */
    record Quantity(String label, Unit unit, Comparison comparison, double value) implements LabelCondition {}

    /** How the value of a label is read. */
    enum Unit {
        NUMBER,
        DURATION,
        BYTES
    }
}
