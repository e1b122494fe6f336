package io.cordwood.search.arrow;

import io.cordwood.logblock.schema.ColumnType;

/** A column of a stream. */
public record ArrowColumn(String name, ColumnType type) {}
