package io.cordwood.ingest.builder;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.RowBuffer;
import java.util.List;

/**
 * Rows of one tenant that wait in one partition, the oldest or all of them, handed from the task thread to a flush
 * thread. Nobody else touches the buffer until the result is back.
 *
 * @param partition where the rows come from
 * @param tenant whose rows they are; only the task thread looks into it
 * @param settled an offset below which all rows of the partition are in tables
 * @param piece which rows they are
 * @param chunks rows that were put aside, ascending
 * @param memory bytes of memory that the flush is counted with
 */
record FlushOrder(
        LogPartition partition, TenantBuffer tenant, long settled, FlushInput piece, List<byte[]> chunks, long memory) {
    /** First offset of the label. */
    long from() {
        return piece.from();
    }

    /** First offset past the label. */
    long to() {
        return piece.to();
    }

    /** The rows after those that were put aside; may be empty. */
    RowBuffer buffer() {
        return piece.buffer();
    }
}
