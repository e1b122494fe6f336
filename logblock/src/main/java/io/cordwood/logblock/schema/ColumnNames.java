package io.cordwood.logblock.schema;

import java.util.Map;

/**
 * How columns are called in Parquet files that have no field ids: a table's name mapping, as Iceberg calls it.
 * Immutable.
 *
 * @param fieldIds field id by name; keys and values of a map by {@link #nested}
 */
public record ColumnNames(Map<String, Integer> fieldIds) {
    /** Of a table that says nothing of names: its files have field ids. */
    public static final ColumnNames NONE = new ColumnNames(Map.of());

    /** What the keys of a map are called. */
    public static final String KEY = "key";
    /** What the values of a map are called. */
    public static final String VALUE = "value";

    public ColumnNames {
        fieldIds = Map.copyOf(fieldIds);
    }

    /** The name of a map's keys or values. No name of a column has a character 0. */
    public static String nested(String map, String part) {
        return map + '\0' + part;
    }
}
