package io.cordwood.catalog.table;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;

/**
 * A column in SQL, of one table of a stream or of all of them. Immutable.
 *
 * @param name lower-case name
 * @param type type in SQL; not {@link ColumnType#MAP}
 * @param index how {@code match} treats a varchar column; {@link IndexKind#NONE} if tables differ, and for other types
 */
public record StreamColumn(String name, ColumnType type, IndexKind index) {
    public StreamColumn {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(index, "index is null");
    }
}
