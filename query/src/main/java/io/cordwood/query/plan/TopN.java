package io.cordwood.query.plan;

/**
 * The first or last rows by {@code ts}. Immutable.
 *
 * @param count how many
 * @param newest whether the last ones
 * @param withTies whether rows of the same time as the last of them are wanted too
 * @param exact whether the scan as a whole gives these rows and no others, from one split; else each split gives its
 *     own, and the engine picks among them
 */
public record TopN(long count, boolean newest, boolean withTies, boolean exact) {}
