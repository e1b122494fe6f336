package io.cordwood.logblock.scan;

import org.apache.lucene.util.FixedBitSet;

/**
 * An index's answer to a condition, for the rows of a window. The condition is true for no other row. Not modified once
 * created.
 *
 * @param sure rows for which the condition is true; bit 0 is the window's first row
 * @param possible other rows, whose values must be tested
 */
record IndexAnswer(FixedBitSet sure, FixedBitSet possible) {
    static IndexAnswer sure(FixedBitSet rows) {
        return new IndexAnswer(rows, new FixedBitSet(rows.length()));
    }

    static IndexAnswer unsure(FixedBitSet rows) {
        return new IndexAnswer(new FixedBitSet(rows.length()), rows);
    }

    /** The sure rows among some rows. */
    FixedBitSet sure(FixedBitSet rows, int offset) {
        return and(rows, sure, offset);
    }

    /** The rows among some rows whose values must be tested. */
    FixedBitSet possible(FixedBitSet rows, int offset) {
        return and(rows, possible, offset);
    }

    private static FixedBitSet and(FixedBitSet rows, FixedBitSet answer, int offset) {
        FixedBitSet result = rows.clone();
        FixedBitSet.andRange(answer, offset, result, 0, rows.length());
        return result;
    }
}
