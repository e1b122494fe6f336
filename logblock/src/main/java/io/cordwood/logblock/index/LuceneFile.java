package io.cordwood.logblock.index;

/**
 * A file of the Lucene segment. It is either in the hot bytes as a whole ({@code head} is all of it), or in the cold
 * region with its first and last bytes in the hot bytes. Immutable.
 *
 * @param name Lucene's file name
 * @param cold whether it lies in the cold region
 * @param offset its start in the cold region, 0 if hot
 * @param length its length in bytes
 * @param head its first bytes
 * @param footer its last bytes, which hold Lucene's footer; empty if hot
 */
record LuceneFile(String name, boolean cold, long offset, long length, byte[] head, byte[] footer) {
    /** The bytes that Lucene reads when it opens a segment: the header, and the footer with the checksum. */
    static final int HEAD_BYTES = 128;

    static final int FOOTER_BYTES = 16;

    static boolean isCold(String name) {
        return name.endsWith(".tim") || name.endsWith(".doc");
    }
}
