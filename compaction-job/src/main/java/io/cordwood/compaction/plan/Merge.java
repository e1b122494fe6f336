package io.cordwood.compaction.plan;

import java.util.List;

/**
 * A planned merge of LogBlocks of one day. Immutable.
 *
 * @param inputs the LogBlocks, by first time
 * @param outputs number of LogBlocks that replace them
 * @param gainBytes bytes that a query of the whole day need not read, times the weight of such queries; of a merge for
 *     the layout the bytes that it saves beyond what it costs
 * @param removesDeletes whether the merge removes deleted rows, and so must not be postponed
 * @param isForLayout whether the merge only gives LogBlocks the dense layout, and so can always wait
 */
public record Merge(
        List<LogBlockEntry> inputs, int outputs, long gainBytes, boolean removesDeletes, boolean isForLayout) {
    public Merge {
        inputs = List.copyOf(inputs);
    }

    /** Bytes to read; about as many are written. */
    public long bytes() {
        return inputs.stream().mapToLong(LogBlockEntry::sizeInBytes).sum();
    }

    /** Gain for each byte rewritten. */
    public double gainPerByte() {
        return (double) gainBytes / Math.max(1, bytes());
    }
}
