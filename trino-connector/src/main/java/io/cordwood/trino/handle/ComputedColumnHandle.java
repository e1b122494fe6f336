package io.cordwood.trino.handle;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

import io.cordwood.trino.type.SqlTypes;
import io.trino.spi.type.Type;

/**
 * A column that is in no table. Immutable.
 *
 * @param value the kind of its values
 */
public record ComputedColumnHandle(Value value) implements CordwoodColumnHandle {
    /** The kind of a column's values. */
    public enum Value {
        /** The id of the row in a deletion. */
        ROW_ID,
        /** The number of rows in a group. */
        GROUP_COUNT
    }

    public static final ComputedColumnHandle ROW_ID = new ComputedColumnHandle(Value.ROW_ID);
    public static final ComputedColumnHandle GROUP_COUNT = new ComputedColumnHandle(Value.GROUP_COUNT);

    public ComputedColumnHandle {
        requireNonNull(value, "value is null");
    }

    @Override
    public String name() {
        return switch (value) {
            case ROW_ID -> "$row_id";
            case GROUP_COUNT -> "$count";
        };
    }

    @Override
    public Type type() {
        return switch (value) {
            case ROW_ID -> SqlTypes.ROW_ID;
            case GROUP_COUNT -> BIGINT;
        };
    }

    /** The text in {@code EXPLAIN}. */
    @Override
    public String toString() {
        return name() + ":" + type().getDisplayName();
    }
}
