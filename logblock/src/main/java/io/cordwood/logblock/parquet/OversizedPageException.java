package io.cordwood.logblock.parquet;

/** A page of another program that takes more memory than a reader gives it. The reader adds which file and column. */
final class OversizedPageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param what there is of it, such as "3 bytes" */
    OversizedPageException(String what, int limit) {
        super("%s, where at most %d are read at once; rewrite the file with smaller pages or row groups"
                .formatted(what, limit));
    }
}
