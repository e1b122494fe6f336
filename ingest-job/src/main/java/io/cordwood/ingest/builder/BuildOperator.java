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
import io.cordwood.ingest.source.RawRecord;
import io.cordwood.ingest.source.RawRecords;
import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.RecordDecoder;
import io.cordwood.record.RowBuffer;
import io.cordwood.record.UndecodableRecordException;
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
 * LogBlocks: by size, by age, by how far they hold W back, when memory is short, and when somebody asks for it. Keyed
 * by {@link LogPartition}.
 *
 * <p>Exactly once rests on this: a checkpoint holds, for each partition, the position and all rows below it that are in
 * no flush yet; the flushes before it have left this operator before the barrier. So each row below the position is
 * either in the state here or in a flush that the committer holds.
 *
 * <p>LogBlocks are built by {@link FlushPool} beside the task thread, which takes the results in between rows, on a
 * timer and, all of them, before each checkpoint. A flush that fails goes back into the state and is tried again; other
 * tenants go on.
 */
final class BuildOperator extends AbstractStreamOperator<TableFlush>
        implements OneInputStreamOperator<PartitionEvent, TableFlush> {
    private static final Logger LOGGER = LoggerFactory.getLogger(BuildOperator.class);
    private static final long serialVersionUID = 1;
    /** How often, about, it is looked for what is due, which passes over all tenants. */
    private static final long LOOK_MILLIS = 1000;
    /** Flushes that may be under way for each thread before more of what is due is ordered: a barrier waits for all. */
    private static final int MAX_ORDERED = 32;
    /** How soon the rest are ordered: rows and barriers come in between. */
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
    private final transient TableStorage lake;
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
    /** What was due at the last look and is not ordered yet. */
    private transient Deque<DueFlushes.Due> due = new ArrayDeque<>();

    private transient int restsToLook;
    private transient Throttle throttle;
    private transient TrafficCounts traffic;
    private transient ScheduledFuture<?> nextTick;

    BuildOperator(
            StreamOperatorParameters<TableFlush> parameters,
            BuildOptions options,
            TableStorage lake,
            TrafficReporter reporter,
            String redis,
            JobClock.Factory clocks) {
        super(parameters);
        this.options = options;
        this.lake = lake;
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
        // Well below, so that reading is slowed down only if LogBlocks cannot be written.
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
        builder = new FlushBuilder(lake, options);
        pool = new FlushPool(builder, options.flushThreads(), task);
        archivedThrough = new ArchivedThroughWatch(lake, task);
        flushRequests = new FlushRequestWatch(lake, task);
        buildMetrics = new BuildMetrics(getMetricGroup());
        declarations = new ColumnDeclarations(lake, options, buildMetrics, task);
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
        scheduleTick(LOOK_MILLIS);
        scheduleDeclarations(LOOK_MILLIS);
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
        // Once, as timers and what else the task has to do wait meanwhile.
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
            int rows = decoder.decode(kafka, buffer, partition.observer(tenant.tenantId()));
            buildMetrics.decoded(rows, bytes);
            traffic.add(
                    partition.partition().stream(), partition.partition().partition(), tenant.tenantId(), rows, bytes);
            if (rows > 0) {
                partition.rows(tenant.tenantId(), rows, buffer.times(rowsBefore));
                partition.keep(tenant);
                declarations.came(tenant);
                // No row is older than it says, nor younger than now, should the broker's clock be ahead.
                long appendMicros = Math.min(kafka.appendTimeMicros(), clock.wallMillis() * 1000);
                buffered += tenant.appended(kafka.offset(), appendMicros, clock.ticks(), bytesBefore);
                // While a flush is under way, what comes is only buffered: else one tenant's backlog would stop all.
                if (tenant.bufferBytes() >= flushBytes || (tenant.totalBytes() >= flushBytes && !tenant.inFlight())) {
                    flush(tenant, FlushReason.SIZE);
                }
            }
        } catch (UndecodableRecordException e) {
            buildMetrics.deadLetter(e.reason());
            RawRecord raw = new RawRecord(
                    partition.partition().topicId(), partition.underLeader().leaderEpoch(), kafka);
            output.collect(
                    DEAD_LETTERS,
                    new StreamRecord<>(new DeadLetter(raw, e.reason().name(), String.valueOf(e.getMessage()))));
        }
        if (buffered > budget / 2) {
            makeRoom();
        }
    }

    private PartitionBuffers partition(LogPartition partition) {
        return partitions.computeIfAbsent(
                partition,
                unknown ->
                        new PartitionBuffers(unknown, ArchivedThroughWatch.now(lake, unknown.stream(), unknown.id())));
    }

    /** Takes the memory of the largest buffers: what makes a fair LogBlock is flushed, the rest goes into the state. */
    private void makeRoom() throws Exception {
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
                putAside(tenant);
            }
        }
    }

    private void putAside(TenantBuffer tenant) throws Exception {
        buffered -= tenant.bufferBytes();
        declarations.look(tenant);
        state.putAside(tenant);
    }

    private void flush(TenantBuffer tenant, FlushReason reason) throws Exception {
        while (tenant.inFlight()) {
            settle(pool.take());
        }
        // If it is quarantined, its rows wait in the state until its next attempt.
        if (tenant.failures() == 0 || reason == FlushReason.RETRY) {
            flushOldest(tenant, reason);
        }
        if (tenant.bufferBytes() >= flushBytes) {
            putAside(tenant); // No chunk is larger than a flush, so that pieces are not.
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
        declarations.look(tenant);
        FlushInput piece = tenant.handOver(maxBytes);
        buffered += tenant.bufferBytes();
        pool.submit(new FlushOrder(
                partition.partition(),
                tenant,
                partition.base(),
                piece,
                state.chunks(tenant, piece.runsPutAside()),
                piece.bytes() * FLUSH_MEMORY_FACTOR));
        buildMetrics.flush(reason);
    }

    private void settle(FlushPool.Result result) throws Exception {
        FlushOrder order = result.order();
        TenantBuffer tenant = order.tenant();
        if (result.failure().isPresent()) {
            takeBack(order, result.failure().get());
            return;
        }
        long flushed = result.flushes().getLast().to();
        if (flushed < order.to()) {
            putChunkOfBuffer(order);
        }
        state.removeChunks(tenant, tenant.keepRest(order.piece(), flushed));
        tenant.succeeded(flushed);
        for (Flush flush : result.flushes()) {
            flush.files().forEach(file -> buildMetrics.wrote(file.summary()));
            output.collect(new StreamRecord<>(new TableFlush(
                    order.partition(), tenant.tenantId(), tenant.partition().nextFlush(), flush)));
        }
    }

    private void putChunkOfBuffer(FlushOrder order) throws Exception {
        if (!order.buffer().isEmpty()) {
            long number = order.piece().runs().getLast().first();
            state.putChunk(order.tenant(), number, order.buffer().toChunk());
        }
    }

    private void takeBack(FlushOrder order, Exception failure) throws Exception {
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
        tenant.takeBack(order.piece(), clock.ticks() + backOff);
    }

    private void scheduleTick(long inMillis) {
        nextTick = timer(inMillis, time -> tick());
    }

    /** Flink waits for how far away the time is now, by ticks: setting the clock later moves nothing. */
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
        restsToLook--;
        if (due.isEmpty() || restsToLook <= 0) {
            restsToLook = (int) (LOOK_MILLIS / REST_MILLIS);
            lookAround();
        }
        order();
        scheduleTick(due.isEmpty() ? LOOK_MILLIS : REST_MILLIS);
    }

    private void lookAround() {
        takeNewsOfArchivedThrough();
        long waiting = waitingBytes();
        throttle.waiting(waiting);
        flushRequests.poll(streams(), clock.ticks()).forEach(this::forgetDeclared);
        due = new ArrayDeque<>(dueFlushes.due(partitions.values(), flushRequests::requested, waiting, clock));
    }

    /** Who asks for flushes of tenants may have deleted them, and their tables. */
    private void forgetDeclared(String stream, Map<String, TableOffsets> requested) {
        for (PartitionBuffers partition : partitions.values()) {
            if (partition.partition().stream().equals(stream)) {
                PartitionId id = partition.partition().id();
                requested.forEach((tenantId, offsets) ->
                        partition.kept(tenantId).ifPresent(tenant -> declarations.forget(tenant, offsets.offset(id))));
            }
        }
    }

    /** Orders what is due, as many flushes as may be under way, but some in any case: others are by size or memory. */
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

    private void takeNewsOfArchivedThrough() {
        Map<PartitionId, Long> news = archivedThrough.poll(streams(), clock.ticks());
        if (!news.isEmpty()) {
            for (PartitionBuffers partition : partitions.values()) {
                partition.archivedThrough(
                        news.getOrDefault(partition.partition().id(), 0L));
            }
        }
    }

    /** Memory that all rows that wait take or took before they were put aside. */
    private long waitingBytes() {
        return partitions.values().stream()
                .mapToLong(PartitionBuffers::waitingBytes)
                .sum();
    }

    Throttle throttle() {
        return throttle;
    }

    /** How often, for one tenant each, columns could not be declared ahead of flushes. */
    long failedDeclarations() {
        return buildMetrics.failedDeclarations();
    }

    /** Rows so far that were not stored, as their days have expired. */
    long expiredRows() {
        return builder.expiredRows();
    }

    /** Memory that rows in buffers take. */
    long bufferedBytes() {
        return buffered;
    }

    /** Memory that flushes under way are counted with. */
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
        declarations.look();
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
        lake.close();
        super.close();
    }
}
