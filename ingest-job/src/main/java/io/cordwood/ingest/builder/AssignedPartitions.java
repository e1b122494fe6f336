package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.storage.TableStorage;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The partitions of a subtask: those of its checkpoint, and those that records came from since. Used by the task thread
 * only.
 */
final class AssignedPartitions implements AutoCloseable {
    private static final Duration ARCHIVED_THROUGH_INTERVAL = Duration.ofMinutes(1);

    private final TableStorage storage;
    private final CatalogPoll<Map<PartitionId, Long>> archivedThrough;
    private final Map<LogPartition, PartitionBuffers> partitions = new HashMap<>();
    private final Collection<PartitionBuffers> all = Collections.unmodifiableCollection(partitions.values());

    /**
     * Starts with the partitions of a checkpoint.
     *
     * @param storage tells the archived-through offsets
     * @param task the task's name, for its threads
     */
    AssignedPartitions(TableStorage storage, String task, List<PartitionBuffers> restored) {
        this.storage = storage;
        this.archivedThrough = new CatalogPoll<>(
                storage::archivedThrough,
                ARCHIVED_THROUGH_INTERVAL,
                "archived-through",
                "idle tenants stay in memory meanwhile",
                task);
        restored.forEach(partition -> partitions.put(partition.partition(), partition));
    }

    /** The buffers of a partition. A new partition waits for the catalog, and starts at its archived-through offset. */
    PartitionBuffers get(LogPartition partition) {
        return partitions.computeIfAbsent(
                partition, unknown -> new PartitionBuffers(unknown, archivedThrough(unknown)));
    }

    private long archivedThrough(LogPartition partition) {
        return storage.archivedThrough(partition.stream()).getOrDefault(partition.id(), 0L);
    }

    /**
     * Takes new archived-through offsets. They may be stale, which makes them too low but never wrong.
     *
     * @param now tick of the job's clock
     */
    void pollArchivedThrough(long now) {
        archivedThrough.poll(streams(), now).ifPresent(byStream -> {
            for (PartitionBuffers partition : partitions.values()) {
                partition.archivedThrough(byStream.getOrDefault(partition.partition().stream(), Map.of())
                        .getOrDefault(partition.partition().id(), 0L));
            }
        });
    }

    /** All partitions, in no particular order. */
    Collection<PartitionBuffers> all() {
        return all;
    }

    /** Number of partitions. */
    int size() {
        return partitions.size();
    }

    /** The streams of the partitions. */
    Set<String> streams() {
        return partitions.keySet().stream().map(LogPartition::stream).collect(Collectors.toSet());
    }

    /** Memory of all waiting rows, now or before they were spilled. */
    long waitingBytes() {
        return partitions.values().stream()
                .mapToLong(PartitionBuffers::waitingBytes)
                .sum();
    }

    @Override
    public void close() {
        archivedThrough.close();
    }
}
