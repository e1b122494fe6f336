package io.cordwood.search.logql;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A query for numbers, or a part of one. Immutable. */
public sealed interface SampleExpression extends Expression {
    /**
     * A function of the lines within a range.
     *
     * @param parameter of {@code quantile_over_time} the quantile
     * @param query the lines
     * @param unwrap the numbers of the lines, where the function is of numbers
     * @param rangeNanos length of the range before each time
     * @param offsetNanos how far the range lies in the past
     * @param grouping how series are combined before the function is computed
     */
    record RangeAggregation(
            RangeFunction function,
            OptionalDouble parameter,
            LogQuery query,
            Optional<Unwrap> unwrap,
            long rangeNanos,
            long offsetNanos,
            Optional<Grouping> grouping)
            implements SampleExpression {}

    /**
     * A function of series.
     *
     * @param number of {@code topk} and {@code bottomk} how many series
     */
    record VectorAggregation(VectorFunction function, int number, SampleExpression of, Grouping grouping)
            implements SampleExpression {}

    /**
     * An operator between two expressions.
     *
     * @param returnsBool whether a comparison gives 1 and 0 instead of filtering
     */
    record BinaryOperation(
            BinaryOperator operator,
            SampleExpression left,
            SampleExpression right,
            boolean returnsBool,
            VectorMatching matching)
            implements SampleExpression {}

    /**
     * Which series of two sides belong together: those whose labels are equal.
     *
     * @param on whether the labels are those to compare; otherwise those to leave out
     */
    record VectorMatching(boolean on, List<String> labels) {
        /** All labels. */
        static final VectorMatching ALL = new VectorMatching(false, List.of());

        public VectorMatching {
            labels = List.copyOf(labels);
        }
    }

    /** A number. */
    record Literal(double value) implements SampleExpression {}

    /** One series without labels that is everywhere the same number. */
    record ConstantVector(double value) implements SampleExpression {}

    /**
     * Sets a label where a regular expression matches another one.
     *
     * @param target name of the label to set
     * @param replacement its value, with {@code $1} for groups
     * @param source name of the label that the expression must match as a whole
     */
    record LabelReplace(SampleExpression of, String target, String replacement, String source, Pattern pattern)
            implements SampleExpression {}
}
