package io.cordwood.ingest.builder;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.record.RowBuffer;
import io.cordwood.record.SeenMembers;
import java.util.List;

/**
 * Rows of one tenant whose members are to be declared, handed from the task thread to the one that asks the catalog.
 *
 * @param tenant whose rows they are; only the task thread looks into it
 * @param partition where the rows come from
 * @param from first offset
 * @param chunks rows that were put aside, ascending
 * @param ofBuffer members of the rows after those
 * @param bufferEnd offset past the last of the rows after those; 0 if there are none
 */
record DeclarationOrder(
        TenantBuffer tenant,
        LogPartition partition,
        long from,
        List<byte[]> chunks,
        SeenMembers ofBuffer,
        long bufferEnd) {
    /** The members of all rows, and where these end. */
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
     * @param end offset past the last row
     */
    record Members(SeenMembers seen, long end) {}
}
