package io.cordwood.ingest.source;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.source.ReadHistory.Position;
import io.cordwood.ingest.storage.TableStorage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads Kafka through the connector's reader. Runs on the task thread.
 *
 * <p>It decides where each split starts, and guards the topics' ids. Consumed records do not carry the id of their
 * topic, so the reader requests the ids at each checkpoint, after the checkpoint's last record. Kafka never reuses an
 * id, so an unchanged id proves that every earlier record was read under it. If an id changed, the checkpoint fails and
 * the job restarts from the previous one, in which every record is known to have the right label. The reader also fails
 * when the clock was set back; {@link ClockGuard} explains why.
 */
final class LogSourceReader implements SourceReader<PartitionEvent, KafkaPartitionSplit> {
    private static final Logger LOG = LoggerFactory.getLogger(LogSourceReader.class);

    private final SourceReader<ConsumerRecord<byte[], byte[]>, KafkaPartitionSplit> kafka;
    private final TopicAdmin admin;
    private final TableStorage storage;
    private final Counter emptyRanges;
    private final IdlePartitions idle;
    private final ReadHistory history;
    private final boolean acceptLoss;
    private final ClockGuard clock;
    private final TopicIdGuard topicIds = new TopicIdGuard();
    private final RecordBatcher batcher = new RecordBatcher(topicIds);
    private final StaleSplits stale = new StaleSplits();
    /** Partitions of deleted topics whose end the builder does not know yet. */
    private final Queue<OffsetAdvance> ended = new ArrayDeque<>();
    /** The end of the records that were read before the job was started from a checkpoint. */
    private final Map<LogPartition, Position> readBefore = new HashMap<>();
    /** The positions of partitions that held no record from the connector's position on. */
    private final Map<TopicPartition, Position> emptyBelow = new HashMap<>();

    LogSourceReader(
            SourceReader<ConsumerRecord<byte[], byte[]>, KafkaPartitionSplit> kafka,
            TopicAdmin admin,
            TableStorage storage,
            Counter emptyRanges,
            IdlePartitions idle,
            ReadHistory history,
            boolean acceptLoss,
            JobClock clock) {
        this.kafka = kafka;
        this.admin = admin;
        this.storage = storage;
        this.emptyRanges = emptyRanges;
        this.idle = idle;
        this.history = history;
        this.acceptLoss = acceptLoss;
        this.clock = new ClockGuard(clock);
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
        Set<String> topics = new HashSet<>();
        splits.forEach(split -> topics.add(split.getTopic()));
        Map<String, TopicDescription> descriptions = admin.describeExisting(topics);
        requireSameIds(descriptions);
        Map<PartitionId, Long> read = new HashMap<>();
        for (KafkaPartitionSplit split : splits) {
            if (split instanceof IdentifiedSplit identified && split.getStartingOffset() >= 0) {
                read.put(new PartitionId(identified.topicId(), split.getPartition()), split.getStartingOffset());
            }
        }
        topics.forEach(topic -> endTopicsBefore(topic, Optional.ofNullable(descriptions.get(topic)), read));

        List<KafkaPartitionSplit> existing = stale.existing(splits, descriptions);
        stale.splits()
                .forEach(split -> LOG.warn(
                        "{} is gone: its topic was deleted or recreated; it is read again once it exists",
                        split.getTopicPartition()));
        kafka.addSplits(started(existing));
    }

    /**
     * Tells the catalog the stream's current topic, and tells the builder that no further record of earlier topics will
     * come: it must flush their rows, and archived-through must show that. Says from where on records were never read,
     * in case that Kafka has lost the topic.
     *
     * @param read offsets up to which partitions were read, by the checkpoint; empty without a checkpoint
     */
    private void endTopicsBefore(String stream, Optional<TopicDescription> topic, Map<PartitionId, Long> read) {
        Set<String> earlier = topic.isPresent()
                ? storage.setTopic(stream, topic.get().topicId().toString())
                : endAllTopics(stream);
        storage.archivedThrough(stream).forEach((partition, offset) -> {
            if (earlier.contains(partition.topicId()) && offset < TableOffsets.END) {
                // Other subtasks know the positions of other partitions
                if (read.isEmpty() || read.containsKey(partition)) {
                    LOG.warn(
                            "Topic '{}' with id {} is gone. Of its partition {}, records from offset {} on were never read:"
                                    + " if Kafka lost the topic, ship them again",
                            stream,
                            partition.topicId(),
                            partition.partition(),
                            Math.max(offset, read.getOrDefault(partition, 0L)));
                }
                ended.add(OffsetAdvance.end(new LogPartition(stream, partition.topicId(), partition.partition())));
            }
        });
    }

    /** Ends the topics that were known before Kafka is asked; a topic created meanwhile has not ended. */
    private Set<String> endAllTopics(String stream) {
        Set<String> known = new HashSet<>();
        storage.archivedThrough(stream).keySet().forEach(partition -> known.add(partition.topicId()));
        if (admin.exists(stream)) {
            throw new IngestException(
                    "Topic '%s' exists, but the broker that was asked does not know it; restarting to ask again"
                            .formatted(stream));
        }
        return storage.endTopics(stream, known);
    }

    private void requireSameIds(Map<String, TopicDescription> descriptions) {
        Map<String, String> now = new HashMap<>();
        descriptions.forEach((name, topic) -> now.put(name, topic.topicId().toString()));
        topicIds.requireSame(now);
    }

    private void requireThere(Map<String, TopicDescription> descriptions) {
        for (String topic : topicIds.topics()) {
            if (!descriptions.containsKey(topic)) {
                throw new IngestException(
                        "Topic '%s' no longer exists; restarting to continue without it until it exists again"
                                .formatted(topic));
            }
        }
    }

    private List<KafkaPartitionSplit> started(List<KafkaPartitionSplit> splits) {
        Map<TopicPartition, Long> logStarts = admin.logStarts(
                splits.stream().map(KafkaPartitionSplit::getTopicPartition).toList());
        requireHistory(splits, logStarts);
        Map<String, Map<PartitionId, Long>> archivedThrough = new HashMap<>();
        List<KafkaPartitionSplit> started = new ArrayList<>();
        for (KafkaPartitionSplit split : splits) {
            String stream = split.getTopic();
            LogPartition partition = new LogPartition(stream, topicIds.id(stream), split.getPartition());
            Long archived = archivedThrough
                    .computeIfAbsent(stream, storage::archivedThrough)
                    .get(partition.id());
            OptionalLong checkpointed = checkpointed(split, partition);
            OptionalLong known = archived == null ? OptionalLong.empty() : OptionalLong.of(archived);
            long start = StartPositions.resolve(
                    partition, checkpointed, known, logStarts.get(split.getTopicPartition()), acceptLoss);
            // Registers the partition before its first record, so that a client that deletes rows finds it there. The
            // offset is above 0 only after an accepted loss: the builder and the committer must know that no record
            // below will come.
            long settled = checkpointed.isEmpty() ? start : 0;
            if (known.isEmpty() || settled > known.getAsLong()) {
                storage.advanceArchivedThrough(stream, Map.of(partition.id(), settled));
            }
            LOG.info("Reading {} (topic id {}) from offset {}", partition, partition.topicId(), start);
            started.add(new KafkaPartitionSplit(split.getTopicPartition(), start));
        }
        return started;
    }

    /**
     * Checks that Kafka still has the records that were read: otherwise offsets below the position hold other records
     * now, which the job would never read.
     *
     * @throws IngestException if it lacks some, and the operator did not accept the loss
     */
    private void requireHistory(List<KafkaPartitionSplit> splits, Map<TopicPartition, Long> logStarts) {
        Map<TopicPartition, Position> read = new HashMap<>();
        for (KafkaPartitionSplit split : splits) {
            TopicPartition partition = split.getTopicPartition();
            if (split instanceof IdentifiedSplit identified
                    && identified.topicId().equals(topicIds.id(split.getTopic()))
                    // Records that the log no longer has cannot be checked
                    && identified.read().offset() >= logStarts.get(partition)) {
                read.put(partition, identified.read());
                readBefore.put(
                        new LogPartition(split.getTopic(), identified.topicId(), split.getPartition()),
                        identified.read());
            }
        }
        history.truncated(read).forEach((partition, from) -> {
            StartPositions.truncated(partition, read.get(partition).offset(), from, acceptLoss);
            // Treats records from here on as unread
            readBefore.remove(
                    new LogPartition(partition.topic(), topicIds.id(partition.topic()), partition.partition()));
        });
    }

    private static OptionalLong checkpointed(KafkaPartitionSplit split, LogPartition partition) {
        return split instanceof IdentifiedSplit identified
                        && identified.topicId().equals(partition.topicId())
                        && split.getStartingOffset() >= 0
                ? OptionalLong.of(split.getStartingOffset())
                : OptionalLong.empty();
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
        // Runs before the request to Kafka, which may not respond
        clock.requireNotSetBack();
        List<KafkaPartitionSplit> identified = new ArrayList<>();
        Map<LogPartition, Long> positions = new HashMap<>();
        for (KafkaPartitionSplit split : kafka.snapshotState(checkpointId)) {
            String topicId = topicIds.id(split.getTopic());
            LogPartition partition = new LogPartition(split.getTopic(), topicId, split.getPartition());
            Position empty = emptyBelow.getOrDefault(split.getTopicPartition(), Position.UNKNOWN);
            long position = Math.max(split.getStartingOffset(), empty.offset());
            Position read = batcher.position(partition)
                    .orElse(readBefore.getOrDefault(partition, Position.UNKNOWN))
                    .or(empty);
            identified.add(
                    new IdentifiedSplit(new KafkaPartitionSplit(split.getTopicPartition(), position), topicId, read));
            positions.put(partition, position);
        }
        Set<String> topics = new HashSet<>(topicIds.topics());
        stale.splits().forEach(split -> topics.add(split.getTopic()));
        if (!topics.isEmpty()) {
            Map<String, TopicDescription> descriptions = admin.describeExisting(topics);
            requireThere(descriptions);
            requireSameIds(descriptions);
            stale.requireGone(descriptions);
        }
        identified.addAll(stale.splits());
        idle.checkpointed(positions);
        return identified;
    }

    @Override
    public void start() {
        kafka.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<PartitionEvent> output) throws Exception {
        if (!ended.isEmpty()) {
            output.collect(ended.remove());
            return InputStatus.MORE_AVAILABLE;
        }
        Optional<IdlePartitions.Found> empty = idle.poll();
        if (empty.isPresent()) {
            collect(empty.get(), output);
            return InputStatus.MORE_AVAILABLE;
        }
        return batcher.poll(kafka, output);
    }

    /**
     * Moves a partition past offsets without a record: from the next checkpoint on, the source and the builder are both
     * at the new position.
     */
    private void collect(IdlePartitions.Found empty, ReaderOutput<PartitionEvent> output) {
        LogPartition partition = empty.partition();
        Position upTo = empty.upTo();
        emptyBelow.merge(
                new TopicPartition(partition.stream(), partition.partition()),
                upTo,
                (before, now) -> now.offset() > before.offset() ? now : before);
        output.collect(new OffsetAdvance(partition, upTo.offset()));
        emptyRanges.inc();
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        if (!ended.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> records = kafka.isAvailable();
        return records.isDone()
                ? records
                : CompletableFuture.anyOf(records, idle.available()).thenAccept(any -> {});
    }

    @Override
    public void notifyNoMoreSplits() {
        kafka.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        kafka.handleSourceEvents(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        kafka.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
        kafka.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
        kafka.pauseOrResumeSplits(toPause, toResume);
    }

    @Override
    public void close() throws IOException {
        try (storage;
                admin;
                idle) {
            kafka.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Cannot close the Kafka reader", e);
        }
    }
}
