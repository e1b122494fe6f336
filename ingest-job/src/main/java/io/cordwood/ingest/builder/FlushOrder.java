package io.cordwood.ingest.builder;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.buffer.RowBuffer;
import java.util.List;

/**
 * Rows of one tenant that wait in one partition, the oldest or all of them. The task thread hands it to the flush
 * threads, which use it one after the other; it does not access the buffer until the result is back.
 *
 * @param partition partition of the rows
 * @param tenant the tenant of the rows; only the task thread accesses it
 * @param settled an offset below which all rows of the partition are in tables
 * @param input the rows
 * @param chunks spilled rows, ascending
 * @param memory bytes of memory that the flush counts with
 */
record FlushOrder(
        LogPartition partition, TenantBuffer tenant, long settled, FlushInput input, List<byte[]> chunks, long memory) {
    /** First offset of the range. */
    long from() {
        return input.from();
    }

    /** First offset after the range. */
    long to() {
        return input.to();
    }

    /** The rows after the spilled ones; may be empty. */
    RowBuffer buffer() {
        return input.buffer();
    }
}
