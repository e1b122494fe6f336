package io.cordwood.trino.handle;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

import io.cordwood.trino.type.SqlTypes;
import io.trino.spi.type.Type;

/**
 * A column that no table has. Immutable.
 *
 * @param value what its values are
 */
public record ComputedColumnHandle(Value value) implements CordwoodColumnHandle {
    /** What the values of a column are. */
    public enum Value {
        /** What a deletion knows the row by. */
        ROW_ID,
        /** How many rows are in a group. */
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

    /** What {@code EXPLAIN} shows. */
    @Override
    public String toString() {
        return name() + ":" + type().getDisplayName();
    }
}
