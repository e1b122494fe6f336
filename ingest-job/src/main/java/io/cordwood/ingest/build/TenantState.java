package io.cordwood.ingest.build;

/**
 * What a checkpoint holds of one tenant in one partition, besides the chunks. Immutable.
 *
 * @param from where the tenant's next flush starts: where the last one ended
 * @param firstChunk number of the first chunk of rows that wait
 * @param nextChunk number of the next chunk to be written
 * @param chunkRows rows in the chunks
 * @param chunkBytes memory that the rows in the chunks took before they were compressed
 * @param firstOffset offset of the first row that waits; {@code Long.MAX_VALUE} if none does
 * @param oldestAppendMicros append time of the oldest row that waits; {@code Long.MAX_VALUE} if none does
 * @param bytesBefore bytes read from the partition before the first row that waits
 */
record TenantState(
        long from,
        long firstChunk,
        long nextChunk,
        long chunkRows,
        long chunkBytes,
        long firstOffset,
        long oldestAppendMicros,
        long bytesBefore) {}
