package io.cordwood.logblock.index;

import io.cordwood.logblock.encoding.XxHash64;
import io.cordwood.logblock.match.ValueMatcher;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** The index of one column. Thread-safe. */
public final class FieldIndex {
    private final Optional<Terms> terms;
    private final int termCount;
    private final int rareCount;
    private final Optional<FingerprintTable> fingerprints;
    private final long fingerprintsOffset;
    private final ColdRegion region;

    FieldIndex(
            Optional<Terms> terms,
            int termCount,
            int rareCount,
            Optional<FingerprintTable> fingerprints,
            long fingerprintsOffset,
            ColdRegion region) {
        this.terms = terms;
        this.termCount = termCount;
        this.rareCount = rareCount;
        this.fingerprints = fingerprints;
        this.fingerprintsOffset = fingerprintsOffset;
        this.region = region;
    }

    /** The number of terms in the dictionary. */
    public int termCount() {
        return termCount;
    }

    /**
     * The number of entries of rare terms, which occur in few rows of a column block and are known by fingerprint only.
     * In a merged LogBlock a term may have several, and be in the dictionary as well.
     */
    public int rareCount() {
        return rareCount;
    }

    /**
     * Sets the rows of {@code [from, from + rows.length())} that the dictionary gives for a term; bit 0 is row {@code
     * from}.
     *
     * @return whether these are all rows of the term; otherwise {@link #blocksOfRare} has the others
     */
    public boolean addRows(byte[] term, int from, FixedBitSet rows) throws IOException {
        if (terms.isEmpty()) {
            return false;
        }
        TermsEnum walk = terms.get().iterator();
        if (!walk.seekExact(new BytesRef(term))) {
            return false;
        }
        return addRows(walk.postings(null, PostingsEnum.NONE), from, rows);
    }

    /** Like {@link #addRows(byte[], int, FixedBitSet)}, for every term that begins with the prefix and matches. */
    public void addRows(byte[] prefix, ValueMatcher matcher, int from, FixedBitSet rows) throws IOException {
        if (terms.isEmpty()) {
            return;
        }
        TermsEnum walk = terms.get().iterator();
        if (walk.seekCeil(new BytesRef(prefix)) == TermsEnum.SeekStatus.END) {
            return;
        }
        PostingsEnum reuse = null;
        for (BytesRef term = walk.term(); term != null && startsWith(term, prefix); term = walk.next()) {
            if (matcher.matches(term.bytes, term.offset, term.offset + term.length)) {
                reuse = walk.postings(reuse, PostingsEnum.NONE);
                addRows(reuse, from, rows);
            }
        }
    }

    private static boolean startsWith(BytesRef term, byte[] prefix) {
        return term.length >= prefix.length
                && Arrays.equals(term.bytes, term.offset, term.offset + prefix.length, prefix, 0, prefix.length);
    }

    /** Sets the rows of postings that have not begun; returns whether these are all rows of the term. */
    private static boolean addRows(PostingsEnum postings, int from, FixedBitSet rows) throws IOException {
        int first = Documents.ofRow(from);
        int document = postings.nextDoc();
        boolean areAll = document != Documents.ALSO_RARE;
        if (document < first) {
            document = postings.advance(first);
        }
        if (document != PostingsEnum.NO_MORE_DOCS) {
            postings.intoBitSet(first + rows.length(), rows, first);
        }
        return areAll;
    }

    /** The number of terms; those that are rare in several parts of a merged LogBlock count in each. */
    public int allTerms() {
        return termCount + rareCount;
    }

    /** The terms of the dictionary, with their documents as {@link Documents} says; empty if it has none. */
    Optional<Terms> dictionary() {
        return terms;
    }

    /** At least the number of rows of all terms of the dictionary, each counted for itself. */
    long dictionaryRows() throws IOException {
        return terms.isEmpty() ? 0 : terms.get().getSumDocFreq();
    }

    /** The entries of all rare terms, as {@link FingerprintTable#entry} makes them, in order. */
    long[] rareEntries() throws IOException {
        return fingerprints.isEmpty()
                ? new long[0]
                : fingerprints
                        .get()
                        .entries(rareCount, (offset, length) -> region.read(fingerprintsOffset + offset, length));
    }

    /** The column blocks that may contain a rare term; the caller must verify the values. */
    public int[] blocksOfRare(byte[] term) throws IOException {
        if (fingerprints.isEmpty()) {
            return new int[0];
        }
        int fingerprint = (int) XxHash64.hash(term, 0, term.length);
        return fingerprints
                .get()
                .blocks(fingerprint, (offset, length) -> region.read(fingerprintsOffset + offset, length));
    }
}
