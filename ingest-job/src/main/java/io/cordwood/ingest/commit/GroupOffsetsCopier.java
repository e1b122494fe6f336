package io.cordwood.ingest.commit;

import io.cordwood.ingest.source.LogPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies W to the consumer group on a thread of its own: a group that cannot be reached holds nobody up. What comes
 * while a copy is under way is copied at once after it. Thread-safe.
 */
final class GroupOffsetsCopier implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(GroupOffsetsCopier.class);

    private final GroupOffsets group;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("consumer-group-offsets").daemon().factory());
    private Map<LogPartition, Long> waiting = new HashMap<>();

    GroupOffsetsCopier(GroupOffsets group) {
        this.group = group;
    }

    /** Sees to it that W of these partitions is shown soon. */
    synchronized void show(Map<LogPartition, Long> offsets) {
        boolean ordered = !waiting.isEmpty();
        waiting.putAll(offsets);
        if (!ordered) {
            thread.execute(this::copy);
        }
    }

    private synchronized Map<LogPartition, Long> takeWaiting() {
        Map<LogPartition, Long> taken = waiting;
        waiting = new HashMap<>();
        return taken;
    }

    private void copy() {
        try {
            group.show(takeWaiting());
        } catch (RuntimeException e) {
            LOGGER.warn("Cannot copy archived-through offsets to the consumer group; lag tools show old offsets", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        group.close();
    }
}
