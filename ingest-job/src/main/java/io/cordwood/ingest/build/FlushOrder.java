package io.cordwood.ingest.build;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.RowBuffer;
import java.util.List;

/**
 * All rows of one tenant that wait in one partition, handed from the task thread to a flush thread. Nobody else touches
 * the buffer until the result is back.
 *
 * @param partition where the rows come from
 * @param tenant whose rows they are; only the task thread looks into it
 * @param from first offset of the label
 * @param to first offset past the label
 * @param settled an offset below which all rows of the partition are in tables
 * @param before what the tenant's state was before the flush, to return to if it fails
 * @param chunks rows that were put aside, ascending
 * @param buffer the rows after them; may be empty
 * @param memory bytes of memory that the flush is counted with
 */
record FlushOrder(
        LogPartition partition,
        TenantBuffer tenant,
        long from,
        long to,
        long settled,
        TenantState before,
        List<byte[]> chunks,
        RowBuffer buffer,
        long memory) {}
