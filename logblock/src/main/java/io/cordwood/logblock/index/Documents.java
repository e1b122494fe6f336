package io.cordwood.logblock.index;

/**
 * The documents of Lucene's postings. Document {@code r + 1} is row {@code r}. Document 0 is no row: it marks a term
 * that other rows may contain as well, which only the fingerprint table knows. Stateless.
 */
final class Documents {
    /** The first document of a term of the dictionary that has fingerprints, too. */
    static final int ALSO_RARE = 0;

    private Documents() {}

    static int ofRow(int row) {
        return row + 1;
    }

    static int row(int document) {
        return document - 1;
    }

    /** The number of documents of a LogBlock. */
    static int count(int rows) {
        return rows + 1;
    }
}
