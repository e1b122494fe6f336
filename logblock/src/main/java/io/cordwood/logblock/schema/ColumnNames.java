package io.cordwood.logblock.schema;

import java.util.Map;

/**
 * Names of columns in Parquet files without field ids: Iceberg's name mapping of a table. Immutable.
 *
 * @param fieldIds field id by name; keys and values of a map by {@link #nested}
 */
public record ColumnNames(Map<String, Integer> fieldIds) {
    /** The mapping of a table without one: its files have field ids. */
    public static final ColumnNames NONE = new ColumnNames(Map.of());

    /** The name of the keys of a map. */
    public static final String KEY = "key";
    /** The name of the values of a map. */
    public static final String VALUE = "value";

    public ColumnNames {
        fieldIds = Map.copyOf(fieldIds);
    }

    /** The key of a map's keys or values. It contains a character 0, which column names do not have. */
    public static String nested(String map, String part) {
        return map + '\0' + part;
    }
}
