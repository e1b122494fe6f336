package io.cordwood.compaction.merge;

/**
 * Result of a merge. Immutable.
 *
 * @param isDone whether the table has the new LogBlocks; if not, it had changed in between, and the merge left it as it
 *     was
 * @param filesRead number of merged LogBlocks
 * @param filesWritten number of LogBlocks written
 * @param filesDense number of these with the dense layout
 * @param bytesRead bytes of the merged LogBlocks
 * @param bytesWritten bytes of the LogBlocks written
 * @param rows rows written
 * @param rowsRemoved deleted rows that the merge removed
 */
public record MergeResult(
        boolean isDone,
        int filesRead,
        int filesWritten,
        int filesDense,
        long bytesRead,
        long bytesWritten,
        long rows,
        long rowsRemoved) {
    /** The table had changed before anything was read. */
    static final MergeResult VOID = new MergeResult(false, 0, 0, 0, 0, 0, 0, 0);
}
