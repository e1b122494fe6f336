package io.cordwood.logblock.parquet;

/**
 * Thrown for a page of another program that needs more memory than the reader allows. The reader adds the file and the
 * column.
 */
final class OversizedPageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param what the page's size, such as "3 bytes" */
    OversizedPageException(String what, int limit) {
        super("%s, where at most %d are read at once; rewrite the file with smaller pages or row groups"
                .formatted(what, limit));
    }
}
