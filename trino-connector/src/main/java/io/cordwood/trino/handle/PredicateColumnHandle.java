package io.cordwood.trino.handle;

import static io.trino.spi.type.BooleanType.BOOLEAN;
import static java.util.Objects.requireNonNull;

import io.cordwood.query.predicate.SerializedPredicate;
import io.trino.spi.type.Type;

/**
 * A column with the value of a predicate on the row, which the engine would otherwise compute. Immutable.
 *
 * @param predicate the predicate
 */
public record PredicateColumnHandle(SerializedPredicate predicate) implements CordwoodColumnHandle {
    public PredicateColumnHandle {
        requireNonNull(predicate, "predicate is null");
    }

    @Override
    public String name() {
        return "$predicate:" + predicate.json();
    }

    @Override
    public Type type() {
        return BOOLEAN;
    }

    /** The text in {@code EXPLAIN}. */
    @Override
    public String toString() {
        return name() + ":" + type().getDisplayName();
    }
}
