package io.cordwood.ingest.source;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.storage.TableStorage;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start positions of partitions: never above a row that is in no table. Stateless.
 *
 * <p>All rows below archived-through are in tables, so reading may start there, wherever the checkpoint was. Rows below
 * the start of the log cannot be read: if the start is above archived-through and above the checkpoint, rows are lost,
 * which only an operator may accept.
 */
public final class StartPositions {
    private static final Logger LOG = LoggerFactory.getLogger(StartPositions.class);

    private StartPositions() {}

    /**
     * The offset to start at.
     *
     * @param checkpointed position in the checkpoint that the job was started from, for the current topic id
     * @param archivedThrough the archived-through offset
     * @param logStart first offset that the log still holds
     * @param acceptLoss whether the operator gives up rows that Kafka no longer holds
     * @throws IngestException if rows are lost, or might be, and the operator did not accept it
     */
    static long resolve(
            LogPartition partition,
            OptionalLong checkpointed,
            OptionalLong archivedThrough,
            long logStart,
            boolean acceptLoss) {
        Optional<String> loss = loss(partition, checkpointed, archivedThrough, logStart);
        if (loss.isPresent()) {
            return lost(partition, logStart, acceptLoss, loss.get());
        }
        return Math.max(checkpointed.orElse(0), archivedThrough.orElse(0));
    }

    /**
     * Handles records that were read and that Kafka has lost since. Kafka may have reused their offsets for other
     * records, which the job would never read.
     *
     * @param readTo the offset up to which records were read
     * @param from the offset from which on the log lost them
     * @param acceptLoss whether the operator gives up the records now at these offsets
     * @throws IngestException if the operator did not accept it
     */
    static void truncated(TopicPartition partition, long readTo, long from, boolean acceptLoss) {
        String problem = "Partition %s: Kafka lost acknowledged records that were read: offsets [%d, %d)"
                .formatted(partition, from, readTo);
        if (!acceptLoss) {
            throw new IngestException(
                    problem
                            + ". New records that Kafka stored at these offsets would be skipped; to skip them, start once with --accept-loss true");
        }
        LOG.error("{}; accepted by --accept-loss: records that have these offsets now are skipped", problem);
    }

    /**
     * The rows that a job without a checkpoint would find lost. Blocks.
     *
     * @return the first loss, in words; empty if Kafka holds all rows above archived-through
     * @throws IngestException if Kafka does not answer
     * @throws io.cordwood.catalog.client.CatalogException if the catalog does not answer
     */
    public static Optional<String> lostWithoutCheckpoint(
            TopicAdmin admin, TableStorage storage, Collection<String> topics) {
        Map<String, TopicDescription> descriptions = admin.describeExisting(topics);
        for (String topic : topics) {
            if (!descriptions.containsKey(topic)) {
                return Optional.of("Topic '%s' is gone: rows of it may be in the checkpoint only".formatted(topic));
            }
        }
        Map<TopicPartition, Long> logStarts = admin.logStarts(descriptions.entrySet().stream()
                .flatMap(topic -> topic.getValue().partitions().stream()
                        .map(partition -> new TopicPartition(topic.getKey(), partition.partition())))
                .toList());
        Map<LogPartition, Long> starts = new HashMap<>();
        logStarts.forEach((partition, start) -> starts.put(
                new LogPartition(
                        partition.topic(),
                        descriptions.get(partition.topic()).topicId().toString(),
                        partition.partition()),
                start));
        return lostWithoutCheckpoint(starts, storage);
    }

    static Optional<String> lostWithoutCheckpoint(Map<LogPartition, Long> logStarts, TableStorage storage) {
        Map<String, Map<PartitionId, Long>> archivedThrough = new HashMap<>();
        for (Map.Entry<LogPartition, Long> start : logStarts.entrySet()) {
            LogPartition partition = start.getKey();
            Long archived = archivedThrough
                    .computeIfAbsent(partition.stream(), storage::archivedThrough)
                    .get(partition.id());
            OptionalLong known = archived == null ? OptionalLong.empty() : OptionalLong.of(archived);
            Optional<String> loss = loss(partition, OptionalLong.empty(), known, start.getValue());
            if (loss.isPresent()) {
                return loss;
            }
        }
        return archivedThrough.entrySet().stream()
                .flatMap(stream -> lostOfEarlierTopics(stream.getKey(), stream.getValue(), logStarts.keySet()).stream())
                .findFirst();
    }

    /**
     * Rows of a stream's earlier topics that no table has yet. They are in tables once archived-through is at its end;
     * until then only the checkpoint has them.
     */
    private static Optional<String> lostOfEarlierTopics(
            String stream, Map<PartitionId, Long> archivedThrough, Set<LogPartition> present) {
        Set<String> ids = present.stream()
                .filter(partition -> partition.stream().equals(stream))
                .map(LogPartition::topicId)
                .collect(Collectors.toUnmodifiableSet());
        boolean waits = archivedThrough.entrySet().stream()
                .anyMatch(archived ->
                        !ids.contains(archived.getKey().topicId()) && archived.getValue() < TableOffsets.END);
        return waits
                ? Optional.of("Topic '%s' was recreated: rows of the earlier one may be in the checkpoint only"
                        .formatted(stream))
                : Optional.empty();
    }

    private static Optional<String> loss(
            LogPartition partition, OptionalLong checkpointed, OptionalLong archivedThrough, long logStart) {
        if (checkpointed.isEmpty() && archivedThrough.isEmpty() && logStart > 0) {
            return Optional.of("Partition %s was never archived and its log starts at offset %d: rows below may be lost"
                    .formatted(partition, logStart));
        }
        long needed = Math.max(checkpointed.orElse(0), archivedThrough.orElse(0));
        return logStart > needed
                ? Optional.of("Partition %s: Kafka deleted offsets [%d, %d) before they were archived"
                        .formatted(partition, needed, logStart))
                : Optional.empty();
    }

    private static long lost(LogPartition partition, long logStart, boolean acceptLoss, String problem) {
        if (!acceptLoss) {
            throw new IngestException(problem + "; to continue without them, start once with --accept-loss true");
        }
        LOG.error("{}; accepted by --accept-loss, reading {} from {}", problem, partition, logStart);
        return logStart;
    }
}
