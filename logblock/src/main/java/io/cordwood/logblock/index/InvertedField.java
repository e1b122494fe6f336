package io.cordwood.logblock.index;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.StringSorter;

/**
 * The terms of one column, split into rare and other terms. Rare terms, which occur in few rows of one column block,
 * become fingerprints; all others are sorted for Lucene's dictionary. Most terms of a log are rare (trace ids,
 * numbers), and a dictionary of their text would take up most of an index. Immutable once built.
 */
final class InvertedField implements FieldTerms {
    private static final int MANY = -1;

    private final TermInverter terms;
    private final TermInverter.Postings postings;
    private final int[] sortedTerms;
    private final long[] rare;

    /**
     * @param blockStarts first row of each column block of the column in the file
     * @param maxRareRows maximum number of rows of a rare term
     */
    InvertedField(TermInverter terms, int[] blockStarts, int maxRareRows) {
        this.terms = terms;
        this.postings = terms.postings();
        int[] blocks = new int[terms.termCount()];
        int rareTerms = 0;
        for (int term = 0; term < blocks.length; term++) {
            blocks[term] = terms.rowCount(term) <= maxRareRows ? onlyBlock(term, blockStarts) : MANY;
            rareTerms += blocks[term] == MANY ? 0 : 1;
        }
        this.sortedTerms = new int[blocks.length - rareTerms];
        this.rare = new long[rareTerms];
        int nextSorted = 0;
        int nextRare = 0;
        for (int term = 0; term < blocks.length; term++) {
            if (blocks[term] == MANY) {
                sortedTerms[nextSorted++] = term;
            } else {
                rare[nextRare++] = FingerprintTable.entry(terms.fingerprint(term), blocks[term]);
            }
        }
        sort();
        Arrays.sort(rare);
    }

    /** The column block of all rows of the term; {@link #MANY} if there are several. */
    private int onlyBlock(int term, int[] blockStarts) {
        int first = block(postings.rows()[postings.ends()[term]], blockStarts);
        int last = postings.rows()[postings.ends()[term + 1] - 1];
        return first + 1 < blockStarts.length && last >= blockStarts[first + 1] ? MANY : first;
    }

    private static int block(int row, int[] blockStarts) {
        int found = Arrays.binarySearch(blockStarts, row);
        return found >= 0 ? found : -found - 2;
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

    @Override
    public int termCount() {
        return sortedTerms.length;
    }

    @Override
    public void term(int i, BytesRef result) {
        result.bytes = terms.arena();
        result.offset = terms.start(sortedTerms[i]);
        result.length = terms.end(sortedTerms[i]) - result.offset;
    }

    @Override
    public int rowCount(int i) {
        return terms.rowCount(sortedTerms[i]);
    }

    @Override
    public int[] rows() {
        return postings.rows();
    }

    @Override
    public int rowsStart(int i) {
        return postings.ends()[sortedTerms[i]];
    }

    @Override
    public boolean isAlsoRare(int i) {
        return false;
    }

    @Override
    public long[] rare() {
        return rare;
    }
}
