package io.cordwood.query.search;

import java.util.Optional;

/**
 * A value of a column and its number of rows. Immutable.
 *
 * @param value the value as text; empty for null
 * @param rows number of rows
 */
public record ValueCount(Optional<String> value, long rows) {}
