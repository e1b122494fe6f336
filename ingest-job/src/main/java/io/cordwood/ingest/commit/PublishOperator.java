package io.cordwood.ingest.commit;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.TopicIdGuard;
import io.cordwood.ingest.source.TopicIds;
import io.cordwood.ingest.source.TopicInspector;
import io.cordwood.ingest.storage.TableStorage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes archived-through to the catalog, after the tables; no other component does. Has one instance per job.
 *
 * <p>Acknowledgements come from the committer, progress from the builders; {@link PartitionArchive} combines them. Both
 * streams carry the checkpoint barriers, and the committer keeps unacknowledged flushes. So the states of this
 * operator, of the committer and of the builders are always consistent.
 *
 * <p>Progress counts once its checkpoint is complete. Before that, the producer may still hold dead letters below it,
 * and the job would not read their records again if archived-through were above them.
 *
 * <p>Archived-through is published outside the task thread, after a check that the topics are still those of the
 * earlier publications. If a topic was recreated, the job fails, and the source starts the topic from its beginning. If
 * Kafka or the catalog does not answer, the operator tries again with growing pauses; archived-through is then late,
 * never wrong.
 */
final class PublishOperator extends AbstractStreamOperator<Void>
        implements TwoInputStreamOperator<Acknowledgement, Progress, Void> {
    private static final Logger LOGGER = LoggerFactory.getLogger(PublishOperator.class);
    private static final long serialVersionUID = 1;
    private static final long TICK_MILLIS = 500;
    private static final long MIN_BACK_OFF_MILLIS = 1000;
    private static final long MAX_BACK_OFF_MILLIS = Duration.ofMinutes(5).toMillis();
    private static final long NOT_YET = -1;

    private final transient JobClock.Factory clocks;
    private final transient TableStorage storage;
    private final transient GroupOffsetsCopier group;
    private final transient TopicIds topicIds;
    private final transient LogWatch watch;
    /** Used by the publishing thread only. */
    private final transient TopicIdGuard topicIdGuard = new TopicIdGuard();

    private final transient MailboxExecutor mailbox;
    private final transient Map<LogPartition, PartitionArchive> archives = new HashMap<>();
    private final transient Map<LogPartition, Long> published = new HashMap<>();
    private transient JobClock clock;
    private transient ListState<PartitionArchive> state;
    private transient ExecutorService thread;
    private transient ScheduledFuture<?> nextTick;
    private transient Counter failures;
    private transient boolean publishing;
    /** Consecutive failed attempts. */
    private transient int failuresInARow;

    private transient long retry;
    private transient long opened;
    /** Read by the metrics thread; {@link #NOT_YET} before the first publication. */
    private transient volatile long firstPublicationMillis = NOT_YET;
    /** Read by the metrics thread, which must not iterate over the archives. */
    private transient volatile long unarchivedAgeSeconds;

    PublishOperator(
            StreamOperatorParameters<Void> parameters,
            List<String> streams,
            TableStorage storage,
            GroupOffsets group,
            TopicIds topicIds,
            TopicInspector logs,
            JobClock.Factory clocks) {
        super(parameters);
        this.clocks = clocks;
        this.storage = storage;
        this.group = new GroupOffsetsCopier(group);
        this.topicIds = topicIds;
        this.watch = new LogWatch(logs, storage);
        // Also watches streams without records, to show what holds them back.
        streams.forEach(watch::watch);
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state = context.getOperatorStateStore()
                .getListState(new ListStateDescriptor<>("archives", new PartitionArchiveSerializer()));
        for (PartitionArchive restored : state.get()) {
            archives.put(restored.partition(), restored);
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        clock = clocks.of(getProcessingTimeService());
        thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("archived-through").daemon().factory());
        failures = getMetricGroup().counter("publish_failures");
        getMetricGroup().gauge("unarchived_age_seconds", (Gauge<Long>) () -> unarchivedAgeSeconds);
        opened = clock.ticks();
        getMetricGroup().gauge("first_publication_millis", (Gauge<Long>) () -> firstPublicationMillis);
        getMetricGroup().gauge("partitions", (Gauge<Integer>) archives::size);
        getMetricGroup().gauge("unsafe_topics", (Gauge<Integer>) watch::unsafeTopics);
        getMetricGroup().gauge("retention_bytes_used_percent", (Gauge<Integer>) watch::retentionUsedPercent);
        getMetricGroup().gauge("partitions_held_by_transactions", (Gauge<Integer>) watch::heldPartitions);
        archives.keySet().forEach(partition -> watch.watch(partition.stream()));
        watch.start();
        tick();
    }

    private long unarchivedAgeSecondsNow() {
        long nowMicros = clock.wallMillis() * 1000;
        return archives.values().stream()
                        .mapToLong(archive -> archive.unarchivedAgeMicros(nowMicros))
                        .max()
                        .orElse(0)
                / 1_000_000;
    }

    @Override
    public void processElement1(StreamRecord<Acknowledgement> element) {
        Acknowledgement acknowledgement = element.getValue();
        archive(acknowledgement.partition()).acknowledge(acknowledgement.number());
    }

    @Override
    public void processElement2(StreamRecord<Progress> element) {
        Progress progress = element.getValue();
        archive(progress.partition()).progress(progress, clock.wallMillis() * 1000);
    }

    private PartitionArchive archive(LogPartition partition) {
        return archives.computeIfAbsent(partition, this::newArchive);
    }

    private PartitionArchive newArchive(LogPartition partition) {
        watch.watch(partition.stream());
        return new PartitionArchive(partition);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        archives.values().forEach(archive -> archive.seal(context.getCheckpointId()));
        state.update(archives.values().stream().map(PartitionArchive::copy).toList());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        archives.values().forEach(archive -> archive.complete(checkpointId));
    }

    private void tick() {
        unarchivedAgeSeconds = unarchivedAgeSecondsNow();
        publish();
        ProcessingTimeService timers = getProcessingTimeService();
        nextTick = timers.registerTimer(timers.getCurrentProcessingTime() + TICK_MILLIS, time -> tick());
    }

    private void publish() {
        Map<LogPartition, Long> news = new HashMap<>();
        for (PartitionArchive archive : archives.values()) {
            if (archive.archivedThrough() > published.getOrDefault(archive.partition(), 0L)) {
                news.put(archive.partition(), archive.archivedThrough());
            }
        }
        if (!publishing && !news.isEmpty() && clock.ticks() >= retry) {
            publishing = true;
            thread.execute(() -> publishOrDie(news));
        }
    }

    /** Runs outside the task thread. */
    private void publishOrDie(Map<LogPartition, Long> news) {
        try {
            publish(news);
        } catch (Throwable e) {
            // A recreated topic, or an error: the job fails, because otherwise archived-through would never be
            // published again.
            mailbox.execute(() -> ExceptionUtils.rethrow(e), "fail for an error in publishing offsets");
        }
    }

    @SuppressWarnings("CatchingUnchecked") // after any failure archived-through is only late
    private void publish(Map<LogPartition, Long> news) {
        Map<String, Map<PartitionId, Long>> byStream = new HashMap<>();
        news.forEach((partition, offset) -> byStream.computeIfAbsent(partition.stream(), stream -> new HashMap<>())
                .put(partition.id(), offset));
        Map<String, String> ids;
        try {
            ids = topicIds.ids(byStream.keySet());
        } catch (Exception e) {
            mailbox.execute(() -> failed(e), "note that topics' ids are not known");
            return;
        }
        topicIdGuard.requireSame(ids);
        try {
            byStream.forEach(storage::advanceArchivedThrough);
            mailbox.execute(() -> published(news), "note published offsets");
        } catch (Exception e) {
            mailbox.execute(() -> failed(e), "note that publishing failed");
            return;
        }
        group.show(news);
    }

    private void published(Map<LogPartition, Long> news) {
        publishing = false;
        failuresInARow = 0;
        retry = 0;
        if (firstPublicationMillis == NOT_YET) {
            firstPublicationMillis = clock.ticks() - opened;
        }
        published.putAll(news);
    }

    private void failed(Exception failure) {
        publishing = false;
        failures.inc();
        long backOff = BackOff.delayMillis(failuresInARow, MIN_BACK_OFF_MILLIS, MAX_BACK_OFF_MILLIS);
        failuresInARow++;
        retry = clock.ticks() + backOff;
        LOGGER.error("Cannot publish archived-through offsets; next attempt in {} ms", backOff, failure);
    }

    @Override
    public void close() throws Exception {
        if (nextTick != null) {
            nextTick.cancel(false);
        }
        if (thread != null) {
            thread.shutdownNow();
        }
        watch.close();
        group.close();
        topicIds.close();
        storage.close();
        super.close();
    }
}
