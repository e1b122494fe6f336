package io.cordwood.compaction.plan;

import java.util.List;

/**
 * LogBlocks of one day to be merged into as few as there should be. Immutable.
 *
 * @param inputs the LogBlocks, by first time
 * @param outputs how many there are to be instead
 * @param gainBytes what a query that reads the whole day saves, as bytes that it need not read, times what that is
 *     worth
 * @param removesDeletes whether rows that were deleted go: this is not put off
 */
public record Merge(List<LogBlockEntry> inputs, int outputs, long gainBytes, boolean removesDeletes) {
    public Merge {
        inputs = List.copyOf(inputs);
    }

    /** Bytes to be read, and about as many to be written. */
    public long bytes() {
        return inputs.stream().mapToLong(LogBlockEntry::sizeInBytes).sum();
    }

    /** Gain for each byte rewritten. */
    public double gainPerByte() {
        return (double) gainBytes / Math.max(1, bytes());
    }
}
