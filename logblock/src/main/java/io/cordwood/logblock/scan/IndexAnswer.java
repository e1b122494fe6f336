package io.cordwood.logblock.scan;

import java.util.Optional;
import org.apache.lucene.util.FixedBitSet;

/**
 * An index's answer to a condition, for the rows of a window. The condition is true for no other row. Bit 0 is the
 * window's first row. Not modified once created.
 *
 * @param sure rows for which the condition is true; empty for none
 * @param possible other rows, whose values must be tested; empty for none
 */
record IndexAnswer(Optional<FixedBitSet> sure, Optional<FixedBitSet> possible) {
    static IndexAnswer of(FixedBitSet sure, FixedBitSet possible) {
        return new IndexAnswer(Optional.of(sure), Optional.of(possible));
    }

    static IndexAnswer sure(FixedBitSet rows) {
        return new IndexAnswer(Optional.of(rows), Optional.empty());
    }

    static IndexAnswer unsure(FixedBitSet rows) {
        return new IndexAnswer(Optional.empty(), Optional.of(rows));
    }

    /** The sure rows among some rows. */
    FixedBitSet sure(FixedBitSet rows, int offset) {
        return sure.map(known -> and(rows, known, offset)).orElseGet(() -> new FixedBitSet(rows.length()));
    }

    /** The rows among some rows whose values must be tested; empty if there are none. */
    Optional<FixedBitSet> possible(FixedBitSet rows, int offset) {
        return possible.map(known -> and(rows, known, offset)).filter(found -> !found.scanIsEmpty());
    }

    private static FixedBitSet and(FixedBitSet rows, FixedBitSet answer, int offset) {
        FixedBitSet result = rows.clone();
        FixedBitSet.andRange(answer, offset, result, 0, rows.length());
        return result;
    }
}
