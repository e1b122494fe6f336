package io.cordwood.ingest.builder;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.commit.Progress;
import io.cordwood.ingest.commit.TableFlush;
import io.cordwood.ingest.report.TrafficCounts;
import io.cordwood.ingest.report.TrafficReporter;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.OffsetAdvance;
import io.cordwood.ingest.source.PartitionEvent;
import io.cordwood.ingest.source.RawRecords;
import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.stream.Collectors;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes the records of its partitions into one buffer for each tenant and partition, and flushes buffers as
 * LogBlocks: by size, by age, by the lag they cause in archived-through, when memory is short, and on request. Keyed by
 * {@link LogPartition}.
 *
 * <p>Exactly-once delivery rests on this invariant: for each partition, a checkpoint holds the position, and all rows
 * below it that are in no flush yet; the earlier flushes have left this operator before the barrier. So each row below
 * the position is either in this state or in a flush that the committer holds.
 *
 * <p>{@link FlushPool} builds LogBlocks outside the task thread. The task thread takes the results between rows, on a
 * timer and, all of them, before each checkpoint. The rows of a failed flush go back into the state, and the flush is
 * tried again; other tenants continue.
 */
final class BuildOperator extends AbstractStreamOperator<TableFlush>
        implements OneInputStreamOperator<PartitionEvent, TableFlush> {
    private static final Logger LOGGER = LoggerFactory.getLogger(BuildOperator.class);
    private static final long serialVersionUID = 1;
    /** Approximate interval of the search for due flushes, which visits all tenants. */
    private static final long SCHEDULE_MILLIS = 1000;
    /** Flushes in progress per thread before more due flushes are ordered: a barrier waits for all of them. */
    private static final int MAX_ORDERED = 32;
    /** The delay until the rest are ordered: rows and barriers come in between. */
    private static final long REST_MILLIS = 100;

    private static final long STATISTICS_MILLIS = 250;
    private static final long MIN_BACK_OFF_MILLIS = 1000;
    private static final long MAX_BACK_OFF_MILLIS = Duration.ofMinutes(5).toMillis();
    // A flush holds its rows twice: as buffers and as sorted columns.
    private static final int FLUSH_MEMORY_FACTOR = 2;
    private static final int RUNS_IN_A_FLUSH = 8;

    static final OutputTag<Progress> PROGRESS = new OutputTag<>("progress", Progress.TYPE);
    static final OutputTag<DeadLetter> DEAD_LETTERS = new OutputTag<>("dead-letters", DeadLetter.TYPE);

    private final BuildOptions options;
    private final transient JobClock.Factory clocks;
    private final transient TableStorage storage;
    private final transient TrafficReporter reporter;
    private final String redis;
    private final transient RecordDecoder decoder;
    private transient JobClock clock;
    private transient DueFlushes dueFlushes;
    private final transient Map<LogPartition, PartitionBuffers> partitions = new HashMap<>();
    private transient BuilderState state;
    private transient FlushBuilder builder;
    private transient FlushPool pool;
    private transient ArchivedThroughWatch archivedThrough;
    private transient FlushRequestWatch flushRequests;
    private transient ColumnDeclarations declarations;
    private transient Optional<StatisticsPublisher> statistics = Optional.empty();
    private transient ScheduledFuture<?> nextStatistics;
    private transient ScheduledFuture<?> nextDeclarations;
    private transient BuildMetrics buildMetrics;
    private transient long budget;
    private transient long flushBytes;
    private transient long buffered;
    private transient int agedFlushes;
    /** Due flushes that are not ordered yet. */
    private transient Deque<DueFlushes.Due> due = new ArrayDeque<>();

    private transient int ticksToSchedule;
    private transient Throttle throttle;
    private transient TrafficCounts traffic;
    private transient ScheduledFuture<?> nextTick;

    BuildOperator(
            StreamOperatorParameters<TableFlush> parameters,
            BuildOptions options,
            TableStorage storage,
            TrafficReporter reporter,
            String redis,
            JobClock.Factory clocks) {
        super(parameters);
        this.options = options;
        this.storage = storage;
        this.reporter = reporter;
        this.redis = redis;
        this.clocks = clocks;
        this.decoder = new RecordDecoder(options.policy());
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        int slots = getRuntimeContext()
                .getTaskManagerRuntimeInfo()
                .getConfiguration()
                .get(TaskManagerOptions.NUM_TASK_SLOTS);
        budget = options.bufferBytes() / slots;
        flushBytes = Math.min(options.flushBytes(), budget / (2 * FLUSH_MEMORY_FACTOR));
        long maxWaitingBytes = options.maxWaitingBytes() / slots;
        throttle = new Throttle(maxWaitingBytes);
        // Well below the limit, so that reading is slowed down only if LogBlocks cannot be written.
        dueFlushes = new DueFlushes(options, maxWaitingBytes / 4 * 3);
        clock = clocks.of(getProcessingTimeService());
        state = new BuilderState(
                flushBytes / RUNS_IN_A_FLUSH, clock, getKeyedStateBackend(), context.getKeyedStateStore());
        for (PartitionBuffers restored : state.restore()) {
            partitions.put(restored.partition(), restored);
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        String task = getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks();
        builder = new FlushBuilder(storage, options);
        pool = new FlushPool(builder, options.flushThreads(), task);
        archivedThrough = new ArchivedThroughWatch(storage, task);
        flushRequests = new FlushRequestWatch(storage, task);
        buildMetrics = new BuildMetrics(getMetricGroup());
        declarations = new ColumnDeclarations(storage, options, buildMetrics, task);
        partitions.values().forEach(partition -> partition.tenants().forEach(declarations::restored));
        statistics = StatisticsPublisher.to(redis, task, buildMetrics);
        buildMetrics.gauge("buffered_bytes", this::bufferedBytes);
        buildMetrics.gauge("flushing_bytes", this::flushingBytes);
        buildMetrics.gauge("waiting_bytes", () -> throttle.waiting());
        buildMetrics.gauge("partitions", partitions::size);
        buildMetrics.gauge("expired_rows", this::expiredRows);
        buildMetrics.gauge("tenants_undeclared", declarations::waiting);
        throttle.waiting(waitingBytes());
        traffic = new TrafficCounts(clock.ticks());
        scheduleTick(SCHEDULE_MILLIS);
        scheduleDeclarations(SCHEDULE_MILLIS);
        scheduleStatistics();
    }

    @Override
    public void processElement(StreamRecord<PartitionEvent> element) throws Exception {
        switch (element.getValue()) {
            case RawRecords raw -> takeIn(raw);
            case OffsetAdvance empty -> partition(empty.partition()).emptyBelow(empty.offset());
        }
    }

    private void takeIn(RawRecords raw) throws Exception {
        PartitionBuffers partition = partition(raw.partition());
        long bytesBefore = partition.bytesRead();
        partition.leaderEpoch(raw.leaderEpoch());
        for (KafkaRecord record : raw.records()) {
            takeIn(partition, record);
        }
        // Sleeps once per batch, because timers and the task's other work wait meanwhile.
        long pause = throttle.pauseMillis(partition.bytesRead() - bytesBefore);
        if (pause > 0) {
            buildMetrics.slowed(pause);
            Thread.sleep(pause);
        }
    }

    private void takeIn(PartitionBuffers partition, KafkaRecord kafka) throws Exception {
        if (kafka.offset() < partition.position()) {
            buildMetrics.skipped();
            return;
        }
        int bytes = kafka.value().length;
        long bytesBefore = partition.bytesRead();
        partition.advance(kafka.offset(), bytes);
        try {
            TenantBuffer tenant = partition.tenant(decoder.tenant(kafka));
            RowBuffer buffer = tenant.buffer();
            int rowsBefore = buffer.rowCount();
            int rows = decoder.decode(tenant.tenantId(), kafka, buffer, partition.observer(tenant.tenantId()));
            buildMetrics.decoded(rows, bytes);
            traffic.add(
                    partition.partition().stream(), partition.partition().partition(), tenant.tenantId(), rows, bytes);
            if (rows > 0) {
                partition.rows(tenant.tenantId(), rows, buffer.times(rowsBefore));
                partition.keep(tenant);
                declarations.rowsAdded(tenant);
                // Caps the append time at now, because the broker's clock may be ahead.
                long appendMicros = Math.min(kafka.appendTimeMicros(), clock.wallMillis() * 1000);
                buffered += tenant.appended(kafka.offset(), appendMicros, clock.ticks(), bytesBefore);
                // During a flush, new rows are only buffered: otherwise one tenant's backlog would stop all.
                if (tenant.bufferBytes() >= flushBytes || (tenant.totalBytes() >= flushBytes && !tenant.inFlight())) {
                    flush(tenant, FlushReason.SIZE);
                }
            }
        } catch (UndecodableRecordException e) {
            buildMetrics.deadLetter(e.reason());
            output.collect(
                    DEAD_LETTERS,
                    new StreamRecord<>(new DeadLetter(
                            partition.partition(), kafka, e.reason().name(), String.valueOf(e.getMessage()))));
        }
        if (buffered > budget / 2) {
            freeMemory();
        }
    }

    private PartitionBuffers partition(LogPartition partition) {
        return partitions.computeIfAbsent(
                partition,
                unknown -> new PartitionBuffers(
                        unknown, ArchivedThroughWatch.now(storage, unknown.stream(), unknown.id())));
    }

    /**
     * Frees the memory of the largest buffers: flushes rows that make a reasonable LogBlock, and spills the rest to the
     * state.
     */
    private void freeMemory() throws Exception {
        List<TenantBuffer> largest = new ArrayList<>();
        partitions.values().forEach(partition -> largest.addAll(partition.tenants()));
        largest.sort(Comparator.comparingLong(TenantBuffer::bufferBytes).reversed());
        for (TenantBuffer tenant : largest) {
            if (buffered <= budget / 4 || !tenant.hasBufferedRows()) {
                break;
            }
            if (tenant.totalBytes() >= options.smallBytes() && !tenant.inFlight() && tenant.failures() == 0) {
                flush(tenant, FlushReason.MEMORY);
            }
            if (tenant.hasBufferedRows()) {
                spill(tenant);
            }
        }
    }

    private void spill(TenantBuffer tenant) throws Exception {
        buffered -= tenant.bufferBytes();
        declarations.inspect(tenant);
        state.spill(tenant);
    }

    private void flush(TenantBuffer tenant, FlushReason reason) throws Exception {
        while (tenant.inFlight()) {
            settle(pool.take());
        }
        // If the tenant is quarantined, its rows wait in the state until its next attempt.
        if (tenant.failures() == 0 || reason == FlushReason.RETRY) {
            flushOldest(tenant, reason);
        }
        if (tenant.bufferBytes() >= flushBytes) {
            spill(tenant); // No chunk is larger than a flush, so that flush inputs are not either.
        }
    }

    private void flushOldest(TenantBuffer tenant, FlushReason reason) throws Exception {
        long maxBytes = flushBytes + flushBytes / 4;
        long memory = Math.min(tenant.totalBytes(), maxBytes) * FLUSH_MEMORY_FACTOR;
        while (!pool.isEmpty() && buffered + pool.memory() + memory > budget) {
            settle(pool.take());
        }
        PartitionBuffers partition = tenant.partition();
        buffered -= tenant.bufferBytes();
        declarations.inspect(tenant);
        FlushInput input = tenant.handOver(maxBytes);
        buffered += tenant.bufferBytes();
        pool.submit(new FlushOrder(
                partition.partition(),
                tenant,
                partition.base(),
                input,
                state.chunks(tenant, input.spilledRanges()),
                input.bytes() * FLUSH_MEMORY_FACTOR));
        buildMetrics.flush(reason);
    }

    private void settle(FlushPool.Result result) throws Exception {
        FlushOrder order = result.order();
        TenantBuffer tenant = order.tenant();
        if (result.failure().isPresent()) {
            requeue(order, result.failure().get());
            return;
        }
        long flushed = result.flushes().getLast().to();
        if (flushed < order.to()) {
            putChunkOfBuffer(order);
        }
        state.removeChunks(tenant, tenant.requeueRest(order.input(), flushed));
        tenant.succeeded(flushed);
        for (Flush flush : result.flushes()) {
            flush.files().forEach(file -> buildMetrics.wrote(file.summary()));
            output.collect(new StreamRecord<>(new TableFlush(
                    order.partition(), tenant.tenantId(), tenant.partition().nextFlush(), flush)));
        }
    }

    private void putChunkOfBuffer(FlushOrder order) throws Exception {
        if (!order.buffer().isEmpty()) {
            long number = order.input().ranges().getLast().first();
            state.putChunk(order.tenant(), number, order.buffer().toChunk());
        }
    }

    private void requeue(FlushOrder order, Exception failure) throws Exception {
        TenantBuffer tenant = order.tenant();
        long backOff = BackOff.delayMillis(tenant.failures(), MIN_BACK_OFF_MILLIS, MAX_BACK_OFF_MILLIS);
        LOGGER.error(
                "Cannot write LogBlocks of tenant '{}' from {}, offsets [{}, {}); its rows are kept, next attempt in {} ms",
                tenant.tenantId(),
                order.partition(),
                order.from(),
                order.to(),
                backOff,
                failure);
        buildMetrics.failedFlush();
        putChunkOfBuffer(order);
        tenant.requeue(order.input(), clock.ticks() + backOff);
    }

    private void scheduleTick(long inMillis) {
        nextTick = timer(inMillis, time -> tick());
    }

    /** Flink waits for the difference to the current time in ticks, so setting the clock later moves no timer. */
    private ScheduledFuture<?> timer(long inMillis, ProcessingTimeCallback callback) {
        ProcessingTimeService timers = getProcessingTimeService();
        return timers.registerTimer(timers.getCurrentProcessingTime() + inMillis, callback);
    }

    private void scheduleDeclarations(long inMillis) {
        nextDeclarations = timer(inMillis, time -> scheduleDeclarations(declarations.proceed(state)));
    }

    private void scheduleStatistics() {
        statistics.ifPresent(publisher -> nextStatistics = timer(STATISTICS_MILLIS, time -> {
            publisher.publish(partitions.values(), clock.ticks());
            scheduleStatistics();
        }));
    }

    private void tick() throws Exception {
        for (Optional<FlushPool.Result> done = pool.poll(); done.isPresent(); done = pool.poll()) {
            settle(done.get());
        }
        ticksToSchedule--;
        if (due.isEmpty() || ticksToSchedule <= 0) {
            ticksToSchedule = (int) (SCHEDULE_MILLIS / REST_MILLIS);
            scheduleFlushes();
        }
        order();
        scheduleTick(due.isEmpty() ? SCHEDULE_MILLIS : REST_MILLIS);
    }

    private void scheduleFlushes() {
        updateArchivedThrough();
        long waiting = waitingBytes();
        throttle.waiting(waiting);
        flushRequests.poll(streams(), clock.ticks()).forEach(this::forgetDeclared);
        due = new ArrayDeque<>(dueFlushes.due(partitions.values(), flushRequests::requested, waiting, clock));
    }

    /** A client that requests flushes of tenants may have deleted them and their tables. */
    private void forgetDeclared(String stream, Map<String, TableOffsets> requested) {
        for (PartitionBuffers partition : partitions.values()) {
            if (partition.partition().stream().equals(stream)) {
                PartitionId id = partition.partition().id();
                requested.forEach((tenantId, offsets) ->
                        partition.kept(tenantId).ifPresent(tenant -> declarations.forget(tenant, offsets.offset(id))));
            }
        }
    }

    /**
     * Orders due flushes up to the limit of flushes in progress. Orders some in any case, because flushes by size or
     * memory fill the limit too.
     */
    private void order() throws Exception {
        int free = Math.max(options.flushThreads(), MAX_ORDERED * options.flushThreads() - pool.size());
        while (free > 0 && !due.isEmpty()) {
            DueFlushes.Due next = due.removeFirst();
            boolean bounded = next.reason() != FlushReason.REQUEST;
            if (next.isOver() || (bounded && agedFlushes >= options.maxAgedFlushes())) {
                continue;
            }
            if (bounded) {
                agedFlushes++;
            }
            free--;
            flush(next.tenant(), next.reason());
        }
    }

    private Set<String> streams() {
        return partitions.keySet().stream().map(LogPartition::stream).collect(Collectors.toSet());
    }

    private void updateArchivedThrough() {
        Map<PartitionId, Long> news = archivedThrough.poll(streams(), clock.ticks());
        if (!news.isEmpty()) {
            for (PartitionBuffers partition : partitions.values()) {
                partition.archivedThrough(
                        news.getOrDefault(partition.partition().id(), 0L));
            }
        }
    }

    /** Memory of all waiting rows, now or before they were spilled. */
    private long waitingBytes() {
        return partitions.values().stream()
                .mapToLong(PartitionBuffers::waitingBytes)
                .sum();
    }

    Throttle throttle() {
        return throttle;
    }

    /** Number of failed declarations of columns ahead of flushes, one for each tenant. */
    long failedDeclarations() {
        return buildMetrics.failedDeclarations();
    }

    /** Number of rows that were not stored because their days have expired. */
    long expiredRows() {
        return builder.expiredRows();
    }

    /** Memory of the buffered rows. */
    long bufferedBytes() {
        return buffered;
    }

    /** Memory that flushes in progress count with. */
    long flushingBytes() {
        return pool.memory();
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        super.prepareSnapshotPreBarrier(checkpointId);
        while (!pool.isEmpty()) {
            settle(pool.take());
        }
        for (PartitionBuffers partition : partitions.values()) {
            for (Progress progress : partition.progress()) {
                output.collect(PROGRESS, new StreamRecord<>(progress));
            }
        }
        agedFlushes = 0;
        reportTraffic();
    }

    private void reportTraffic() {
        partitions.forEach((partition, buffers) -> {
            if (!buffers.hasEnded()) {
                traffic.stands(partition.stream(), partition.partition(), buffers.position());
            }
        });
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        reporter.report(traffic.take(Integer.toString(subtask), clock.wallMillis(), clock.ticks()));
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        declarations.inspect();
        for (PartitionBuffers partition : partitions.values()) {
            state.save(partition);
        }
        buffered = 0;
    }

    @Override
    public void close() throws Exception {
        if (nextTick != null) {
            nextTick.cancel(false);
        }
        if (nextDeclarations != null) {
            nextDeclarations.cancel(false);
        }
        if (nextStatistics != null) {
            nextStatistics.cancel(false);
        }
        if (pool != null) {
            pool.close();
            archivedThrough.close();
            flushRequests.close();
            declarations.close();
            statistics.ifPresent(StatisticsPublisher::close);
        }
        reporter.close();
        storage.close();
        super.close();
    }
}
