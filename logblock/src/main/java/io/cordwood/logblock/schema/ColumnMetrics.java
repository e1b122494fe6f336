package io.cordwood.logblock.schema;

import java.util.Optional;

/**
 * Metrics of one column of a file, for the table format.
 *
 * @param sizeInBytes compressed size
 * @param valueCount number of values, nulls included
 * @param nullCount number of nulls
 * @param lower a lower bound of the values: {@code Long}, {@code Double}, {@code Boolean} or {@code String}
 * @param upper an upper bound of the values
 */
public record ColumnMetrics(
        long sizeInBytes, long valueCount, long nullCount, Optional<Object> lower, Optional<Object> upper) {}
