package io.cordwood.record.assemble;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.record.buffer.ColumnNames;

/**
 * A column that rows need and their table lacks. Immutable.
 *
 * @param name lower-case, dotted
 * @param type type of the first value that is not null
 * @param index index of a varchar column; else {@link IndexKind#NONE}
 * @param twin whether it is the double twin of the bigint column {@link ColumnNames#twinOf}, and not an independent
 *     column
 */
public record NewColumn(String name, ColumnType type, IndexKind index, boolean twin) {
    public NewColumn {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(index, "index is null");
    }

    /** The double twin of a bigint column. */
    static NewColumn twinOf(String bigintColumn) {
        return new NewColumn(ColumnNames.doubleTwin(bigintColumn), ColumnType.DOUBLE, IndexKind.NONE, true);
    }
}
