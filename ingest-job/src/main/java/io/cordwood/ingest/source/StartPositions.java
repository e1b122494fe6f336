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
 * Where reading a partition starts: never above a row that is in no table. Stateless.
 *
 * <p>All rows below W are in tables, so reading may start at W, wherever the checkpoint stood. Below the start of the
 * log nothing can be read: if that is above W and above the checkpoint, rows are lost, which only an operator may
 * accept.
 */
public final class StartPositions {
    private static final Logger LOG = LoggerFactory.getLogger(StartPositions.class);

    private StartPositions() {}

    /**
     * The offset to start at.
     *
     * @param checkpointed position in the checkpoint that the job was started from, under the topic's present id
     * @param archivedThrough W
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
     * Kafka took back records that were read, and may have given their offsets to others, which nobody would read.
     *
     * @param readTo the offset up to which records were read
     * @param from the offset from which on they are not in the log any more
     * @param acceptLoss whether the operator gives up what stands in their place
     * @throws IngestException if the operator did not accept it
     */
    static void takenBack(TopicPartition partition, long readTo, long from, boolean acceptLoss) {
        String problem = "Partition %s: Kafka took acknowledged records back that were read: offsets [%d, %d)"
                .formatted(partition, from, readTo);
        if (!acceptLoss) {
            throw new IngestException(
                    problem
                            + ". New records that Kafka stored at these offsets would be skipped; to skip them, start once with --accept-loss true");
        }
        LOG.error("{}; accepted by --accept-loss: records that have these offsets now are skipped", problem);
    }

    /**
     * What a job without a checkpoint would find lost. Blocks.
     *
     * @return the first loss, in words; empty if Kafka holds all rows above W
     * @throws IngestException if Kafka cannot be asked
     * @throws io.cordwood.catalog.client.CatalogException if the catalog cannot be asked
     */
    public static Optional<String> lostWithoutCheckpoint(
            TopicAdmin admin, TableStorage lake, Collection<String> topics) {
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
        return lostWithoutCheckpoint(starts, lake);
    }

    static Optional<String> lostWithoutCheckpoint(Map<LogPartition, Long> logStarts, TableStorage lake) {
        Map<String, Map<PartitionId, Long>> archivedThrough = new HashMap<>();
        for (Map.Entry<LogPartition, Long> start : logStarts.entrySet()) {
            LogPartition partition = start.getKey();
            Long archived = archivedThrough
                    .computeIfAbsent(partition.stream(), lake::archivedThrough)
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
     * What was read of topics that a stream had before is in tables once W is at its end; until then nobody else has
     * it.
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
                ? Optional.of("Topic '%s' was made anew: rows of the one before may be in the checkpoint only"
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
            throw new IngestException(problem + "; to go on without them, start once with --accept-loss true");
        }
        LOG.error("{}; accepted by --accept-loss, reading {} from {}", problem, partition, logStart);
        return logStart;
    }
}
