package io.cordwood.compaction.job;

/**
 * A merge that was chosen. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param epochDay the day of the LogBlocks
 * @param locations the LogBlocks
 * @param outputs how many there are to be instead
 * @param bytes bytes of the LogBlocks
 * @param gainPerByte what it gains for each byte rewritten
 * @param isUrgent whether rows were deleted that are to be gone
 */
@SuppressWarnings("ArrayRecordComponent") // Flink serialises arrays by itself; nobody compares them
public record MergeTask(
        String tenantId,
        String stream,
        int epochDay,
        String[] locations,
        int outputs,
        long bytes,
        double gainPerByte,
        boolean isUrgent) {
    /** Merges of one day of one table come one after the other. */
    public String key() {
        return stream + '/' + tenantId + '/' + epochDay;
    }
}
