package io.cordwood.logblock.index;

/**
 * One file of the Lucene segment: whole among the hot bytes ({@code head} is all of it), or in the cold region with its
 * first and last bytes hot. Immutable.
 *
 * @param name Lucene's file name
 * @param cold whether it lies in the cold region
 * @param offset where it starts in the cold region, 0 if hot
 * @param length bytes
 * @param head its first bytes
 * @param tail its last bytes, empty if hot
 */
record LuceneFile(String name, boolean cold, long offset, long length, byte[] head, byte[] tail) {
    /** What Lucene reads of a file when it opens a segment: the header, and the checksum at the end. */
    static final int HEAD_BYTES = 128;

    static final int TAIL_BYTES = 16;

    static boolean isCold(String name) {
        return name.endsWith(".tim") || name.endsWith(".doc");
    }
}
