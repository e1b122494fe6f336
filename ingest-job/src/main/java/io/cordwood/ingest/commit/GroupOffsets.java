package io.cordwood.ingest.commit;

import io.cordwood.ingest.source.LogPartition;
import java.io.Serializable;
import java.util.Map;

/**
 * Shows W to tools that look at consumer groups. A copy that nothing ever reads back. Calls block; used by one thread
 * at a time.
 */
public interface GroupOffsets extends AutoCloseable {
    /** Connects where the publisher runs. */
    @FunctionalInterface
    interface Factory extends Serializable {
        GroupOffsets open();
    }

    /** Shows W of these partitions, as far as their topics still have the same id. */
    void show(Map<LogPartition, Long> offsets);

    @Override
    void close();
}
