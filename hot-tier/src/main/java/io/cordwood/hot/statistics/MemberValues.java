package io.cordwood.hot.statistics;

import io.cordwood.logblock.schema.IndexKind;

/**
 * What is known of the values of one member in a tenant's rows of a chunk. Immutable.
 *
 * @param terms how all of its values, which are then text, are in the filter; {@link IndexKind#NONE} if one is not
 * @param min a bound below its numbers, and booleans as 0 and 1; {@code Long.MIN_VALUE} if they have none
 * @param max a bound above them; less than {@code min} if there are none
 */
record MemberValues(IndexKind terms, long min, long max) {
    /** Whether all numbers lie between the bounds, also those beyond 64 bits. */
    boolean isBounded() {
        return min > Long.MIN_VALUE && max < Long.MAX_VALUE;
    }
}
