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

    /** The number of terms in the dictionary, which has the terms that are not rare. */
    public int termCount() {
        return termCount;
    }

    /** The number of rare terms, which occur in few rows of one column block and are known by fingerprint only. */
    public int rareCount() {
        return rareCount;
    }

    /**
     * Sets the rows of {@code [from, from + rows.length())} that contain a term of the dictionary; bit 0 is row {@code
     * from}.
     *
     * @return whether the dictionary has the term
     */
    public boolean addRows(byte[] term, int from, FixedBitSet rows) throws IOException {
        if (terms.isEmpty()) {
            return false;
        }
        TermsEnum walk = terms.get().iterator();
        if (!walk.seekExact(new BytesRef(term))) {
            return false;
        }
        addRows(walk, null, from, rows);
        return true;
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
                reuse = addRows(walk, reuse, from, rows);
            }
        }
    }

    private static boolean startsWith(BytesRef term, byte[] prefix) {
        return term.length >= prefix.length
                && Arrays.equals(term.bytes, term.offset, term.offset + prefix.length, prefix, 0, prefix.length);
    }

    private static PostingsEnum addRows(TermsEnum term, PostingsEnum reuse, int from, FixedBitSet rows)
            throws IOException {
        PostingsEnum postings = term.postings(reuse, PostingsEnum.NONE);
        if (postings.advance(from) != PostingsEnum.NO_MORE_DOCS) {
            postings.intoBitSet(from + rows.length(), rows, from);
        }
        return postings;
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
