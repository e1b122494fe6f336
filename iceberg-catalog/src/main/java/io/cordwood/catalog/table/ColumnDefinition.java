package io.cordwood.catalog.table;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.util.Locale;
import java.util.Set;

/**
 * A column that a table should have. Immutable.
 *
 * @param name lower-case name; may contain dots
 * @param type type of the values; not {@link ColumnType#MAP}
 * @param index {@link IndexKind#TEXT} for a tokenised varchar column, {@link IndexKind#KEYWORD} for any other varchar
 *     column, {@link IndexKind#NONE} for all other types
 */
public record ColumnDefinition(String name, ColumnType type, IndexKind index) {
    private static final Set<String> RESERVED = Set.of("", "ts", "tenant_id", "attributes");

    public ColumnDefinition {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(index, "index is null");
        if (isReserved(name)) {
            throw new IllegalArgumentException("'%s' is a reserved column name".formatted(name));
        }
        if (!name.equals(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("Column name '%s' is not in lower case".formatted(name));
        }
        if (type == ColumnType.MAP) {
            throw new IllegalArgumentException("Column '%s' cannot be a map; only 'attributes' is".formatted(name));
        }
        if ((type == ColumnType.VARCHAR) == (index == IndexKind.NONE)) {
            throw new IllegalArgumentException(
                    "Column '%s' of type %s cannot have index %s: VARCHAR has KEYWORD or TEXT, others NONE"
                            .formatted(name, type, index));
        }
    }

    /** A column that is not varchar. */
    public static ColumnDefinition of(String name, ColumnType type) {
        return new ColumnDefinition(name, type, IndexKind.NONE);
    }

    /** A varchar column with whole values as terms. */
    public static ColumnDefinition keyword(String name) {
        return new ColumnDefinition(name, ColumnType.VARCHAR, IndexKind.KEYWORD);
    }

    /** A tokenised varchar column. */
    public static ColumnDefinition text(String name) {
        return new ColumnDefinition(name, ColumnType.VARCHAR, IndexKind.TEXT);
    }

    /** Whether the name is reserved: no column can be added under it. */
    public static boolean isReserved(String name) {
        return RESERVED.contains(name)
                || name.startsWith("attributes.")
                || name.startsWith("$")
                || name.startsWith("_");
    }
}
