package io.cordwood.ingest.builder;

import io.cordwood.hot.token.PolledTokenRules;
import io.cordwood.ingest.commit.Progress;
import io.cordwood.ingest.commit.TableFlush;
import io.cordwood.ingest.runtime.OpenResources;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.OffsetAdvance;
import io.cordwood.ingest.source.PartitionEvent;
import io.cordwood.ingest.source.RecordBatch;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.token.TokenCheck;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Decodes the records of its partitions into one buffer for each tenant and partition, and flushes buffers as
 * LogBlocks: by size, by age, by the lag they cause in archived-through, when memory is short, and on request. Keyed by
 * {@link LogPartition}. Adapts Flink's operator to {@link RecordAppender} (decoding), {@link FlushSchedule} (when to
 * flush), {@link TenantFlusher} (flushing), and {@link BufferDrain} (memory and state).
 *
 * <p>Exactly-once delivery rests on this invariant: for each partition, a checkpoint holds the position, and all rows
 * below it that are in no flush yet; the earlier flushes have left this operator before the barrier. So each row below
 * the position is either in this state or in a flush that the committer holds.
 *
 * <p>The task thread takes the results of flushes between rows, on a timer and, all of them, before each checkpoint.
 */
final class BuildOperator extends AbstractStreamOperator<TableFlush>
        implements OneInputStreamOperator<PartitionEvent, TableFlush> {
    private static final long serialVersionUID = 1;
    private static final long STATISTICS_MILLIS = 250;
    private static final int CHUNKS_IN_A_FLUSH = 8;
    /** A record without a verdict must neither be skipped nor decoded, so the job waits until it can know. */
    private static final Duration FOREVER = Duration.ofDays(36500);

    static final OutputTag<Progress> PROGRESS = new OutputTag<>("progress", Progress.TYPE);
    static final OutputTag<DeadLetter> DEAD_LETTERS = new OutputTag<>("dead-letters", DeadLetter.TYPE);

    private final transient BuildContext context;
    private final transient OpenResources opened = new OpenResources();
    private transient BuilderState state;
    private transient AssignedPartitions partitions;
    private transient MemoryBudget budget;
    private transient BufferDrain memory;
    private transient Throttle throttle;
    private transient TenantFlusher flusher;
    private transient FlushSchedule schedule;
    private transient RecordAppender appender;
    private transient BuildMetrics buildMetrics;

    BuildOperator(StreamOperatorParameters<TableFlush> parameters, BuildContext context) {
        super(parameters);
        this.context = context;
        opened.add(context.storage());
        opened.add(context.traffic());
    }

    @Override
    public void initializeState(StateInitializationContext initialization) throws Exception {
        super.initializeState(initialization);
        BuildOptions options = slotOptions();
        budget = new MemoryBudget(options.bufferBytes(), options.flushBytes());
        state = new BuilderState(
                budget.flushBytes() / CHUNKS_IN_A_FLUSH,
                context.clock(),
                getKeyedStateBackend(),
                initialization.getKeyedStateStore());
        partitions = opened.add(new AssignedPartitions(context.storage(), taskName(), state.restore()));
    }

    /** The settings with the slot's share of the task manager's memory. */
    private BuildOptions slotOptions() {
        return context.options()
                .perSlot(getRuntimeContext()
                        .getTaskManagerRuntimeInfo()
                        .getConfiguration()
                        .get(TaskManagerOptions.NUM_TASK_SLOTS));
    }

    private String taskName() {
        return getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks();
    }

    @Override
    public void open() throws Exception {
        super.open();
        BuildOptions options = slotOptions();
        buildMetrics = new BuildMetrics(getMetricGroup());
        ColumnDeclarations declarations =
                opened.add(new ColumnDeclarations(context.storage(), options, buildMetrics, taskName()));
        declarations.restored(partitions.all());
        memory = new BufferDrain(budget, state, declarations);
        throttle = new Throttle(options.maxWaitingBytes(), buildMetrics::slowed);
        throttle.waiting(partitions.waitingBytes());
        FlushBuilder builder = new FlushBuilder(context.storage(), options);
        FlushPool pool = opened.add(new FlushPool(builder, budget, options.flushThreads(), taskName()));
        flusher = new TenantFlusher(
                pool, budget, memory, state, options.smallBytes(), context.clock(), buildMetrics, this::emit);
        FlushRequests requests = opened.add(new FlushRequests(context.storage(), taskName()));
        FlushSearch search =
                new FlushSearch(partitions, requests, new DueFlushes(options), declarations, throttle, context.clock());
        schedule = new FlushSchedule(search::search, flusher, options.flushThreads(), options.maxAgedFlushes());
        appender = new RecordAppender(
                decoder(options),
                context.clock(),
                budget,
                flusher,
                declarations,
                context.traffic(),
                buildMetrics,
                this::emit);
        addGauges(builder, declarations);
        startTimers(declarations);
    }

    private RecordDecoder decoder(BuildOptions options) {
        if (!options.policy().requireToken()) {
            return new RecordDecoder(options.policy());
        }
        PolledTokenRules rules = opened.add(new PolledTokenRules(
                context.storage()::tokenRules, FOREVER, buildMetrics::waitedForTokenRules, taskName()));
        return new RecordDecoder(options.policy(), Optional.of(new TokenCheck(rules)));
    }

    private void addGauges(FlushBuilder builder, ColumnDeclarations declarations) {
        buildMetrics.gauge("buffered_bytes", budget::bufferedBytes);
        buildMetrics.gauge("flushing_bytes", budget::flushingBytes);
        buildMetrics.gauge("waiting_bytes", throttle::waiting);
        buildMetrics.gauge("partitions", partitions::size);
        buildMetrics.gauge("expired_rows", builder::expiredRows);
        buildMetrics.gauge("tenants_undeclared", declarations::waiting);
    }

    private void startTimers(ColumnDeclarations declarations) {
        TaskTimers timers = opened.add(new TaskTimers(getProcessingTimeService()));
        timers.repeat(FlushSchedule.SEARCH_MILLIS, this::flushDue);
        timers.repeat(ColumnDeclarations.INSPECT_MILLIS, () -> declarations.proceed(state));
        StatisticsPublisher.to(context.redis(), taskName(), buildMetrics).ifPresent(statistics -> {
            opened.add(statistics);
            timers.repeat(STATISTICS_MILLIS, () -> {
                statistics.publish(partitions.all(), context.clock().ticks());
                return STATISTICS_MILLIS;
            });
        });
    }

    @Override
    public void processElement(StreamRecord<PartitionEvent> element) throws Exception {
        switch (element.getValue()) {
            case RecordBatch batch -> append(batch);
            case OffsetAdvance advance -> partitions.get(advance.partition()).emptyBelow(advance.offset());
        }
    }

    private void append(RecordBatch batch) throws Exception {
        PartitionBuffers partition = partitions.get(batch.partition());
        long bytesBefore = partition.bytesRead();
        partition.leaderEpoch(batch.leaderEpoch());
        for (KafkaRecord record : batch.records()) {
            appender.append(partition, record);
            flusher.freeMemory(partitions.all());
        }
        // Sleeps once per batch, because timers and the task's other work wait meanwhile.
        throttle.pause(partition.bytesRead() - bytesBefore);
    }

    /** Takes the results of flushes, and begins due ones; returns the delay until the next call. */
    private long flushDue() throws Exception {
        flusher.settleFinished();
        return schedule.tick();
    }

    private void emit(TableFlush flush) {
        output.collect(new StreamRecord<>(flush));
    }

    private void emit(DeadLetter letter) {
        output.collect(DEAD_LETTERS, new StreamRecord<>(letter));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        flusher.settleAll();
        for (PartitionBuffers partition : partitions.all()) {
            for (Progress progress : partition.progress()) {
                output.collect(PROGRESS, new StreamRecord<>(progress));
            }
        }
        schedule.checkpoint();
        context.traffic().report(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(), partitions.all());
    }

    @Override
    public void snapshotState(StateSnapshotContext snapshot) throws Exception {
        super.snapshotState(snapshot);
        memory.save(partitions.all());
    }

    @Override
    public void close() throws Exception {
        opened.close();
        super.close();
    }

    MemoryBudget budget() {
        return budget;
    }

    Throttle throttle() {
        return throttle;
    }

    /** Number of failed declarations of columns ahead of flushes, one for each tenant. */
    long failedDeclarations() {
        return buildMetrics.failedDeclarations();
    }
}
