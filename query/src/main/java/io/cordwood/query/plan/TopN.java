package io.cordwood.query.plan;

/**
 * The first or last rows by {@code ts}. Immutable.
 *
 * @param count number of rows
 * @param newest whether the last rows
 * @param withTies whether rows with the same time as the n-th are included
 * @param exact whether the scan as a whole returns exactly these rows, from one split; otherwise each split returns its
 *     own, and the engine chooses among them
 */
public record TopN(long count, boolean newest, boolean withTies, boolean exact) {}
