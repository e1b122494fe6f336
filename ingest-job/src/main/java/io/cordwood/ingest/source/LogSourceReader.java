package io.cordwood.ingest.source;

import io.cordwood.catalog.PartitionId;
import io.cordwood.ingest.IngestException;
import io.cordwood.ingest.Lake;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads Kafka through the connector's reader. Runs on the task thread.
 *
 * <p>It decides where each split starts, and guards the topics' ids: consumed records do not tell under which id their
 * topic had them, so the ids are asked for at each checkpoint, after the last record of it. As an id is never used
 * twice, an unchanged one proves that every record before was read under it. If one changed, the checkpoint fails and
 * the job restarts from the one before, where every record is known to be labelled rightly.
 */
final class LogSourceReader implements SourceReader<RawRecord, KafkaPartitionSplit> {
    private static final Logger LOG = LoggerFactory.getLogger(LogSourceReader.class);

    private final SourceReader<RawRecord, KafkaPartitionSplit> kafka;
    private final RawRecordSchema schema;
    private final TopicAdmin admin;
    private final Lake lake;
    private final boolean acceptLoss;
    private final Map<String, String> topicIds = new HashMap<>();
    private final GoneSplits gone = new GoneSplits();

    LogSourceReader(
            SourceReader<RawRecord, KafkaPartitionSplit> kafka,
            RawRecordSchema schema,
            TopicAdmin admin,
            Lake lake,
            boolean acceptLoss) {
        this.kafka = kafka;
        this.schema = schema;
        this.admin = admin;
        this.lake = lake;
        this.acceptLoss = acceptLoss;
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
        Set<String> topics = new HashSet<>();
        splits.forEach(split -> topics.add(split.getTopic()));
        Map<String, TopicDescription> descriptions = admin.describe(topics);
        requireSameIds(descriptions);
        schema.use(topicIds);

        List<KafkaPartitionSplit> existing = gone.existing(splits, descriptions);
        gone.splits().forEach(split -> LOG.warn("{} is gone: its topic was made anew", split.getTopicPartition()));
        kafka.addSplits(started(existing));
    }

    private void requireSameIds(Map<String, TopicDescription> descriptions) {
        descriptions.forEach(
                (name, topic) -> requireSameId(name, topic.topicId().toString()));
    }

    private void requireSameId(String topic, String id) {
        String before = topicIds.putIfAbsent(topic, id);
        if (before != null && !before.equals(id)) {
            throw madeAnew(topic, before, id);
        }
    }

    private static IngestException madeAnew(String topic, String before, String id) {
        return new IngestException(
                "Topic '%s' was made anew: its id was %s and is %s; restarting to read it from its beginning"
                        .formatted(topic, before, id));
    }

    private List<KafkaPartitionSplit> started(List<KafkaPartitionSplit> splits) {
        Map<TopicPartition, Long> logStarts = admin.logStarts(
                splits.stream().map(KafkaPartitionSplit::getTopicPartition).toList());
        Map<String, Map<PartitionId, Long>> archivedThrough = new HashMap<>();
        List<KafkaPartitionSplit> started = new ArrayList<>();
        for (KafkaPartitionSplit split : splits) {
            String stream = split.getTopic();
            LogPartition partition = new LogPartition(stream, topicIds.get(stream), split.getPartition());
            Long archived = archivedThrough
                    .computeIfAbsent(stream, lake::archivedThrough)
                    .get(partition.id());
            OptionalLong checkpointed = checkpointed(split, partition);
            OptionalLong known = archived == null ? OptionalLong.empty() : OptionalLong.of(archived);
            long start = StartPositions.resolve(
                    partition, checkpointed, known, logStarts.get(split.getTopicPartition()), acceptLoss);
            if (checkpointed.isEmpty() && start > known.orElse(0)) {
                // Only after an accepted loss: the builder and the committer must know that nothing below will come.
                lake.advanceArchivedThrough(stream, Map.of(partition.id(), start));
            }
            LOG.info("Reading {} (topic id {}) from offset {}", partition, partition.topicId(), start);
            started.add(new KafkaPartitionSplit(split.getTopicPartition(), start));
        }
        return started;
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
        List<KafkaPartitionSplit> identified = new ArrayList<>();
        for (KafkaPartitionSplit split : kafka.snapshotState(checkpointId)) {
            identified.add(new IdentifiedSplit(split, topicIds.get(split.getTopic())));
        }
        if (!topicIds.isEmpty()) {
            Map<String, TopicDescription> descriptions = admin.describe(topicIds.keySet());
            requireSameIds(descriptions);
            gone.requireGone(descriptions);
        }
        identified.addAll(gone.splits());
        return identified;
    }

    @Override
    public void start() {
        kafka.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<RawRecord> output) throws Exception {
        return kafka.pollNext(output);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return kafka.isAvailable();
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
        try (lake;
                admin) {
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
