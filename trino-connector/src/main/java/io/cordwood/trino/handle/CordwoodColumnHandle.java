package io.cordwood.trino.handle;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.type.Type;

/** A column of a scan: one of the table, or one whose values are computed from a row. Immutable. */
public sealed interface CordwoodColumnHandle extends ColumnHandle
        permits TableColumnHandle, PredicateColumnHandle, TimeBinColumnHandle, ComputedColumnHandle {
    /** Its name, unique in the scan. */
    String name();

    /** Its type in SQL. */
    Type type();

    /** Whether {@code SELECT *} and {@code SHOW COLUMNS} omit it. */
    @JsonIgnore
    default boolean isHidden() {
        return name().startsWith("$");
    }

    /** Whether conditions on its values can be answered. */
    @JsonIgnore
    default boolean isComparable() {
        return false;
    }

    /** Whether the engine must expect null values. */
    @JsonIgnore
    default boolean isNullable() {
        return false;
    }

    /** Its metadata for the engine. */
    default ColumnMetadata metadata() {
        return ColumnMetadata.builder()
                .setName(name())
                .setType(type())
                .setNullable(isNullable())
                .setHidden(isHidden())
                .build();
    }
}
