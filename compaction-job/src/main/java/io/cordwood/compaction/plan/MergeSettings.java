package io.cordwood.compaction.plan;

/**
 * Goals and costs of merging. Immutable.
 *
 * @param targetBytes target size of a LogBlock
 * @param openBytes cost of opening one LogBlock, as bytes that a query could read in that time
 * @param openDayWeight number of queries that one LogBlock less is worth while the day still gets rows
 * @param closedDayWeight the same once the day is over: that merge is the last, so it serves all later queries
 * @param mostOpen most LogBlocks with overlapping times in one merge: all of them are open at once
 * @param mostBytes most bytes of one merge, unless two LogBlocks already exceed them
 */
public record MergeSettings(
        long targetBytes, long openBytes, int openDayWeight, int closedDayWeight, int mostOpen, long mostBytes) {
    /** For LogBlocks of 128 MB; opening one costs as much as reading 2 MB. */
    public static final MergeSettings DEFAULTS = ofTarget(128 << 20);

    public MergeSettings {
        if (targetBytes < 1
                || openBytes < 1
                || openDayWeight < 1
                || closedDayWeight < 1
                || mostOpen < 2
                || mostBytes < targetBytes) {
            throw new IllegalArgumentException("Invalid merge settings: %d, %d, %d, %d, %d, %d"
                    .formatted(targetBytes, openBytes, openDayWeight, closedDayWeight, mostOpen, mostBytes));
        }
    }

    /** The defaults for another size of LogBlocks. */
    public static MergeSettings ofTarget(long targetBytes) {
        return new MergeSettings(targetBytes, 2 << 20, 4, 32, 64, 16 * targetBytes);
    }

    /**
     * A LogBlock of this size stays as it is, unless some of its rows were deleted. It also does after the dense layout
     * has made it smaller.
     */
    boolean isLarge(long sizeInBytes, boolean isDense) {
        return sizeInBytes >= targetBytes - targetBytes / (isDense ? 3 : 4);
    }

    /**
     * Number of outputs of a merge of so many bytes: each has two thirds to three halves of the target size if there
     * are several.
     */
    int outputs(long sizeInBytes) {
        return Math.toIntExact(Math.max(1, Math.round((double) sizeInBytes / targetBytes)));
    }

    /** Least number of LogBlocks for so many bytes. */
    public int ideal(long sizeInBytes) {
        return Math.toIntExact(Math.max(1, (sizeInBytes + targetBytes - 1) / targetBytes));
    }
}
