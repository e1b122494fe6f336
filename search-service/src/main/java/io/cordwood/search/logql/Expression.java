package io.cordwood.search.logql;

/** A parsed query: one for lines, or one for numbers. Immutable. */
public sealed interface Expression permits LogQuery, SampleExpression {}
