package io.cordwood.logblock.schema;

import static java.util.Objects.requireNonNull;

/**
 * A column of a LogBlock. Immutable.
 *
 * @param name name in the Iceberg table; may contain dots
 * @param fieldId Iceberg field id; readers resolve columns by it, never by name
 * @param type type of the values
 * @param index how the values are indexed; only {@link ColumnType#VARCHAR} columns have an index
 * @param required whether the column has a value in every row
 * @param keyFieldId field id of the keys of a {@link ColumnType#MAP}, otherwise 0
 * @param valueFieldId field id of the values of a {@link ColumnType#MAP}, otherwise 0
 */
public record Column(
        String name,
        int fieldId,
        ColumnType type,
        IndexKind index,
        boolean required,
        int keyFieldId,
        int valueFieldId) {
    public Column {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(index, "index is null");
        if (index != IndexKind.NONE && type != ColumnType.VARCHAR) {
            throw new IllegalArgumentException(
                    "Column '%s' of type %s cannot have a %s index; only VARCHAR can".formatted(name, type, index));
        }
    }

    /** An optional column without an index. */
    public static Column of(String name, int fieldId, ColumnType type) {
        return new Column(name, fieldId, type, IndexKind.NONE, false, 0, 0);
    }

    /** An optional varchar column whose whole values are indexed. */
    public static Column keyword(String name, int fieldId) {
        return new Column(name, fieldId, ColumnType.VARCHAR, IndexKind.KEYWORD, false, 0, 0);
    }

    /** An optional varchar column whose tokens are indexed. */
    public static Column text(String name, int fieldId) {
        return new Column(name, fieldId, ColumnType.VARCHAR, IndexKind.TEXT, false, 0, 0);
    }

    /** An optional map of text to text. */
    public static Column map(String name, int fieldId, int keyFieldId, int valueFieldId) {
        return new Column(name, fieldId, ColumnType.MAP, IndexKind.NONE, false, keyFieldId, valueFieldId);
    }

    /** This column with a value in every row. */
    public Column asRequired() {
        return new Column(name, fieldId, type, index, true, keyFieldId, valueFieldId);
    }
}
