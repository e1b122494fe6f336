package io.cordwood.ingest.builder;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.SeenMembers;
import java.util.List;

/**
 * Rows of one tenant whose members are to be declared. The task thread hands it to the thread that asks the catalog.
 *
 * @param tenant the tenant of the rows; only the task thread accesses it
 * @param partition partition of the rows
 * @param from first offset
 * @param chunks spilled rows, ascending
 * @param ofBuffer members of the rows after the chunks
 * @param bufferEnd offset after the last of these rows; 0 if there are none
 */
record DeclarationOrder(
        TenantBuffer tenant,
        LogPartition partition,
        long from,
        List<byte[]> chunks,
        SeenMembers ofBuffer,
        long bufferEnd) {
    /** The members of all rows, and the end of the rows. */
    Members members() {
        SeenMembers seen = new SeenMembers(ofBuffer.settled());
        long end = 0;
        for (byte[] chunk : chunks) {
            RowBuffer rows = RowBuffer.fromChunk(chunk);
            seen.add(rows, from);
            end = rows.lastOffset() + 1;
        }
        seen.add(ofBuffer);
        return new Members(seen, Math.max(end, bufferEnd));
    }

    /**
     * Members of the rows.
     *
     * @param end offset after the last row
     */
    record Members(SeenMembers seen, long end) {}
}
