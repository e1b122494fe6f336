package io.cordwood.hot;

import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.TimeRange;

/**
 * Hot rows of one tenant and UTC day as an open LogBlock in memory, in (ts, offset, ordinal) order. It has no index.
 * Thread-safe.
 *
 * @param tenantId the tenant
 * @param name name for messages; it identifies the source records
 * @param logBlock the rows
 * @param sizeInBytes its length
 * @param rowCount number of rows
 * @param time times of the first and the last row
 */
public record HotLogBlock(
        String tenantId, String name, LogBlock logBlock, long sizeInBytes, long rowCount, TimeRange time) {
    /** Memory of the LogBlock. */
    public long retainedBytes() {
        return sizeInBytes + logBlock.retainedBytes();
    }
}
