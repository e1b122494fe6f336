package io.cordwood.trino;

import io.cordwood.logblock.Column;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the SQL columns of a scan are in one place where rows lie. Immutable.
 *
 * @param constants values of columns that are the same for all rows there
 * @param columns the stored columns behind each other column: none if the table lacks it, a second one if it is a twin
 */
public record TableBinding(Map<String, String> constants, Map<String, List<Column>> columns) {
    public TableBinding {
        constants = Map.copyOf(constants);
        columns = Map.copyOf(columns);
    }

    Optional<String> constant(String name) {
        return Optional.ofNullable(constants.get(name));
    }

    List<Column> sources(String name) {
        return columns.getOrDefault(name, List.of());
    }
}
