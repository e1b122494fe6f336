package io.cordwood.compaction.merge;

/**
 * What a merge did. Immutable.
 *
 * @param isDone whether the new LogBlocks are in the table; if not, the table had changed and is as it was
 * @param filesRead LogBlocks that were merged
 * @param filesWritten LogBlocks that came out
 * @param bytesRead their bytes
 * @param bytesWritten bytes that came out
 * @param rows rows that came out
 * @param rowsRemoved rows that were deleted and are now gone
 */
public record MergeResult(
        boolean isDone,
        int filesRead,
        int filesWritten,
        long bytesRead,
        long bytesWritten,
        long rows,
        long rowsRemoved) {
    /** The table had changed before anything was read. */
    static final MergeResult VOID = new MergeResult(false, 0, 0, 0, 0, 0, 0);
}
