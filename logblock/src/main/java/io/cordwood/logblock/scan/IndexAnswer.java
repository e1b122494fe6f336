package io.cordwood.logblock.scan;

import org.apache.lucene.util.FixedBitSet;

/**
 * What an index says of a condition, for the rows of a window. In no other row is it true. Not changed once made.
 *
 * @param sure rows for which it is true; bit 0 is the window's first row
 * @param possible rows, none of them sure, whose values must tell
 */
record IndexAnswer(FixedBitSet sure, FixedBitSet possible) {
    static IndexAnswer sure(FixedBitSet rows) {
        return new IndexAnswer(rows, new FixedBitSet(rows.length()));
    }

    static IndexAnswer unsure(FixedBitSet rows) {
        return new IndexAnswer(new FixedBitSet(rows.length()), rows);
    }

    /** Those of some rows that are sure. */
    FixedBitSet sure(FixedBitSet rows, int offset) {
        return and(rows, sure, offset);
    }

    /** Those of some rows whose values must tell. */
    FixedBitSet possible(FixedBitSet rows, int offset) {
        return and(rows, possible, offset);
    }

    private static FixedBitSet and(FixedBitSet rows, FixedBitSet answer, int offset) {
        FixedBitSet result = rows.clone();
        FixedBitSet.andRange(answer, offset, result, 0, rows.length());
        return result;
    }
}
