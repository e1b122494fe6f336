package io.cordwood.compaction.job;

/**
 * A chosen merge. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param epochDay the day of the LogBlocks
 * @param locations the LogBlocks
 * @param outputs number of LogBlocks that replace them
 * @param bytes bytes of the LogBlocks
 * @param gainPerByte gain for each byte rewritten
 * @param isUrgent whether the merge removes deleted rows
 * @param isForLayout whether the merge only gives LogBlocks the dense layout
 * @param isDense whether what replaces them has the dense layout
 */
@SuppressWarnings("ArrayRecordComponent") // Flink serialises arrays by itself; the arrays are never compared
public record MergeTask(
        String tenantId,
        String stream,
        int epochDay,
        String[] locations,
        int outputs,
        long bytes,
        double gainPerByte,
        boolean isUrgent,
        boolean isForLayout,
        boolean isDense) {
    /** Key that serialises merges of one day of one table. */
    public String key() {
        return stream + '/' + tenantId + '/' + epochDay;
    }
}
