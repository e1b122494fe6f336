package io.cordwood.hot.statistics;

import io.cordwood.logblock.schema.IndexKind;

/**
 * Statistics of the values of one member in a tenant's rows of a chunk. Immutable.
 *
 * @param terms how the filter holds the member's values, if all of them are text and in the filter; else
 *     {@link IndexKind#NONE}
 * @param min a lower bound of its numbers, with booleans as 0 and 1; {@code Long.MIN_VALUE} if they have no lower bound
 * @param max an upper bound of them; less than {@code min} if there are no numbers
 */
record MemberValues(IndexKind terms, long min, long max) {
    /** Whether all numbers lie between the bounds, also those beyond 64 bits. */
    boolean isBounded() {
        return min > Long.MIN_VALUE && max < Long.MAX_VALUE;
    }
}
