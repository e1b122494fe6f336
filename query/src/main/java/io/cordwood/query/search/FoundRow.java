package io.cordwood.query.search;

/**
 * A row that a scan found.
 *
 * @param position its position
 * @param source the LogBlock that has it
 * @param row its number there
 */
record FoundRow(RowPosition position, RowSource source, int row) {}
