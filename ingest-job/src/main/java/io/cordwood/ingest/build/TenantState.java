package io.cordwood.ingest.build;

import java.util.List;

/**
 * What a checkpoint holds of one tenant in one partition, besides the chunks. Immutable.
 *
 * @param from where the tenant's next flush starts: where the last one ended
 * @param nextChunk number of the next chunk to be written
 * @param runs the chunks of rows that wait, ascending
 */
record TenantState(long from, long nextChunk, List<Run> runs) {
    TenantState {
        runs = List.copyOf(runs);
    }
}
