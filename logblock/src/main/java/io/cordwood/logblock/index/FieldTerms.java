package io.cordwood.logblock.index;

import org.apache.lucene.util.BytesRef;

/** The terms of one column, split into those of the dictionary, in order, and rare ones. Immutable. */
interface FieldTerms {
    /** Number of terms in the dictionary. */
    int termCount();

    /** Points {@code result} at the bytes of the i-th term in order. */
    void term(int i, BytesRef result);

    /** Number of rows of the i-th term. */
    int rowCount(int i);

    /** The rows of all terms. */
    int[] rows();

    /** The start of the i-th term's rows, which ascend, in {@link #rows()}. */
    int rowsStart(int i);

    /** Whether other rows may have the i-th term, by its entries among the {@link #rare()} ones. */
    boolean isAlsoRare(int i);

    /** The sorted entries for {@link FingerprintTable#write}. */
    long[] rare();
}
