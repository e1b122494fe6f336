package io.cordwood.logblock.index;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.StringSorter;

/**
 * The terms of one column, parted: those that stand in several rows, sorted, for Lucene's dictionary; those that stand
 * in one row, as fingerprints. Most terms of a log are of the second kind (trace ids, numbers), and a dictionary of
 * their text would be most of an index. Immutable once built.
 */
final class InvertedField {
    private final TermInverter terms;
    private final TermInverter.Postings postings;
    private final int[] sortedTerms;
    private final long[] singles;

    /** @param blockStarts first row of each column block of the column in the file */
    InvertedField(TermInverter terms, int[] blockStarts) {
        this.terms = terms;
        this.postings = terms.postings();
        int several = 0;
        for (int term = 0; term < terms.termCount(); term++) {
            several += terms.rowCount(term) > 1 ? 1 : 0;
        }
        this.sortedTerms = new int[several];
        this.singles = new long[terms.termCount() - several];
        int nextSorted = 0;
        int nextSingle = 0;
        for (int term = 0; term < terms.termCount(); term++) {
            if (terms.rowCount(term) > 1) {
                sortedTerms[nextSorted++] = term;
            } else {
                int row = postings.rows()[postings.ends()[term]];
                int found = Arrays.binarySearch(blockStarts, row);
                int block = found >= 0 ? found : -found - 2;
                singles[nextSingle++] = FingerprintTable.entry(terms.fingerprint(term), block);
            }
        }
        sort();
        Arrays.parallelSort(singles);
    }

    private void sort() {
        new StringSorter((a, b) -> a.compareTo(b)) {
            @Override
            protected void get(BytesRefBuilder _builder, BytesRef result, int i) {
                term(i, result);
            }

            @Override
            protected void swap(int i, int j) {
                int term = sortedTerms[i];
                sortedTerms[i] = sortedTerms[j];
                sortedTerms[j] = term;
            }
        }.sort(0, sortedTerms.length);
    }

    /** Number of terms in the dictionary. */
    int termCount() {
        return sortedTerms.length;
    }

    /** Points {@code result} at the bytes of the i-th term in order. */
    void term(int i, BytesRef result) {
        result.bytes = terms.arena();
        result.offset = terms.start(sortedTerms[i]);
        result.length = terms.end(sortedTerms[i]) - result.offset;
    }

    int rowCount(int i) {
        return terms.rowCount(sortedTerms[i]);
    }

    int[] rows() {
        return postings.rows();
    }

    /** Where the rows of the i-th term start in {@link #rows()}. */
    int rowsStart(int i) {
        return postings.ends()[sortedTerms[i]];
    }

    /** Entries for {@link FingerprintTable#write}, sorted. */
    long[] singles() {
        return singles;
    }
}
