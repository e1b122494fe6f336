package io.cordwood.ingest.commit;

import io.cordwood.ingest.source.LogPartition;
import java.io.Serializable;
import java.util.Map;

/**
 * Shows archived-through to tools that read consumer groups. A copy that the job never reads back. Calls block; used by
 * one thread at a time.
 */
public interface GroupOffsets extends AutoCloseable {
    /** Creates the connection in the publisher's process. */
    @FunctionalInterface
    interface Factory extends Serializable {
        GroupOffsets open();
    }

    /** Shows the archived-through offsets of partitions whose topics still have the same id. */
    void show(Map<LogPartition, Long> offsets);

    @Override
    void close();
}
