package io.cordwood.compaction.plan;

/**
 * What merging is to achieve and what it may cost. Immutable.
 *
 * @param targetBytes size that a LogBlock should have
 * @param openBytes what opening one LogBlock costs a query, as bytes that could be read in that time
 * @param openDayWeight how many queries of the day a LogBlock less is worth while the day still gets rows
 * @param closedDayWeight the same once the day is over: it is merged for the last time, for all queries to come
 * @param mostOpen LogBlocks whose times may overlap in one merge: all are open at once
 * @param mostBytes bytes of one merge at most, unless two LogBlocks are already more
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
            throw new IllegalArgumentException("Settings make no sense: %d, %d, %d, %d, %d, %d"
                    .formatted(targetBytes, openBytes, openDayWeight, closedDayWeight, mostOpen, mostBytes));
        }
    }

    /** The defaults for another size of LogBlocks. */
    public static MergeSettings ofTarget(long targetBytes) {
        return new MergeSettings(targetBytes, 2 << 20, 4, 32, 64, 16 * targetBytes);
    }

    /** A LogBlock of this size is left as it is, unless rows of it were deleted. */
    boolean isLarge(long sizeInBytes) {
        return sizeInBytes >= targetBytes - targetBytes / 4;
    }

    /**
     * How many LogBlocks a merge of so many bytes makes: of two thirds to three halves of the target size each, if
     * there are several.
     */
    int outputs(long sizeInBytes) {
        return Math.toIntExact(Math.max(1, Math.round((double) sizeInBytes / targetBytes)));
    }

    /** How many LogBlocks so many bytes are at least. */
    public int ideal(long sizeInBytes) {
        return Math.toIntExact(Math.max(1, (sizeInBytes + targetBytes - 1) / targetBytes));
    }
}
