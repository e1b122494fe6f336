package io.cordwood.ingest.commit;

import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.CommitTables;
import io.cordwood.ingest.runtime.GroupedWork;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.storage.TableStorage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits flushes to their tables once the checkpoint that contains them is complete, and acknowledges each of them.
 * Keyed by {@link TableKey}.
 *
 * <p>A flush stays in the state until it is acknowledged, so it is tried again after a failure; the table offset tells
 * whether it was already committed. All ready flushes of a table go into one commit, so that no flush is tried before
 * an earlier one. A few tables are committed concurrently, outside the task thread.
 *
 * <p>A table that cannot be committed to is quarantined: it is tried again with growing pauses, its flushes stay,
 * archived-through is held back, and the other tables continue. If a flush starts above the table offset, an earlier
 * one is missing, so the job fails and restarts from its last checkpoint. If that checkpoint lacks the earlier flush
 * too, the job must start without a checkpoint.
 */
final class CommitOperator extends AbstractStreamOperator<Acknowledgement>
        implements OneInputStreamOperator<TableFlush, Acknowledgement> {
    private static final Logger LOGGER = LoggerFactory.getLogger(CommitOperator.class);
    private static final long serialVersionUID = 1;
    private static final long TICK_MILLIS = 1000;
    private static final String FLUSHES = "flushes";

    private final int threadCount;
    private final transient JobClock.Factory clocks;
    private final transient TableStorage storage;
    private final transient MailboxExecutor mailbox;
    private final transient Map<TableKey, PendingTable> pending = new LinkedHashMap<>();
    private transient JobClock clock;
    private transient ListState<TableFlush> state;
    private transient GroupedWork<WaitingCommit> waitingCommits;
    private transient ExecutorService threads;
    private transient ScheduledFuture<?> nextTick;
    private transient Counter commits;
    private transient Counter committedFlushes;
    private transient Counter commitMillis;
    /** Read by the metrics thread, which must not iterate over the tables. */
    private transient volatile long quarantined;

    private transient long completedCheckpoint = PendingTable.RESTORED;

    CommitOperator(
            StreamOperatorParameters<Acknowledgement> parameters,
            int threadCount,
            TableStorage storage,
            JobClock.Factory clocks) {
        super(parameters);
        this.threadCount = threadCount;
        this.clocks = clocks;
        this.storage = storage;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state = context.getKeyedStateStore()
                .getListState(new ListStateDescriptor<>(FLUSHES, new TableFlushSerializer()));
        KeyedStateBackend<TableKey> backend = getKeyedStateBackend();
        List<TableKey> tables;
        try (Stream<TableKey> stored = backend.getKeys(FLUSHES, VoidNamespace.INSTANCE)) {
            tables = stored.toList();
        }
        for (TableKey table : tables) {
            backend.setCurrentKey(table);
            for (TableFlush flush : state.get()) {
                pending.computeIfAbsent(table, PendingTable::new).addRestored(flush);
            }
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        clock = clocks.of(getProcessingTimeService());
        String task = getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks();
        waitingCommits = new GroupedWork<>(this::findTables);
        threads = Executors.newFixedThreadPool(
                threadCount,
                Thread.ofPlatform().name(task + "-commit-", 0).daemon().factory());
        commits = getMetricGroup().counter("commits");
        committedFlushes = getMetricGroup().counter("flushes");
        commitMillis = getMetricGroup().counter("commit_millis");
        getMetricGroup().gauge("tables_pending", (Gauge<Integer>) pending::size);
        getMetricGroup().gauge("tables_quarantined", (Gauge<Long>) () -> quarantined);
        commitReady();
        scheduleTick();
    }

    @Override
    public void processElement(StreamRecord<TableFlush> element) throws Exception {
        TableFlush flush = element.getValue();
        state.add(flush);
        pending.computeIfAbsent(flush.table(), PendingTable::new).add(flush);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        pending.values().forEach(table -> table.seal(context.getCheckpointId()));
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        completedCheckpoint = Math.max(completedCheckpoint, checkpointId);
        commitReady();
    }

    private void scheduleTick() {
        ProcessingTimeService timers = getProcessingTimeService();
        nextTick = timers.registerTimer(timers.getCurrentProcessingTime() + TICK_MILLIS, time -> {
            commitReady();
            scheduleTick();
        });
    }

    /** Number of tables whose last commit failed. */
    long quarantined() {
        return quarantined;
    }

    private void countQuarantined() {
        quarantined =
                pending.values().stream().filter(PendingTable::isQuarantined).count();
    }

    private void commitReady() {
        pending.values().forEach(this::commitIfReady);
    }

    private void commitIfReady(PendingTable table) {
        List<TableFlush> flushes = table.start(completedCheckpoint, clock.ticks());
        if (!flushes.isEmpty()) {
            WaitingCommit commit = new WaitingCommit(table, flushes);
            waitingCommits.add(commit);
            threads.execute(() -> commit(commit));
        }
    }

    /** Finds the tables of commits that wait for a thread. */
    private void findTables(List<WaitingCommit> group) {
        // A table that has failed before must not hold up others again.
        List<WaitingCommit> sound =
                group.stream().filter(commit -> !commit.isQuarantined).toList();
        if (sound.size() > 1) {
            sound.stream()
                    .collect(Collectors.groupingBy(commit -> commit.table().stream()))
                    .forEach(this::findTables);
        }
    }

    private void findTables(String stream, List<WaitingCommit> group) {
        try {
            Map<String, CommitTables.Found> found = storage.findAll(
                    stream,
                    group.stream().map(commit -> commit.table().tenantId()).collect(Collectors.toSet()));
            group.forEach(commit ->
                    commit.found = Optional.ofNullable(found.get(commit.table().tenantId())));
        } catch (RuntimeException e) {
            LOGGER.warn("Cannot find {} tables at once, so each commit finds its own: {}", group.size(), e.toString());
        }
    }

    /** Runs outside the task thread. */
    @SuppressWarnings("CatchingUnchecked") // a failure of one table must not stop the others
    private void commit(WaitingCommit commit) {
        PendingTable table = commit.pending;
        List<TableFlush> flushes = commit.flushes;
        TableKey key = commit.table();
        long started = System.nanoTime();
        try {
            waitingCommits.prepare(commit);
            List<CommitOutcome> outcomes = storage.commit(
                    key.tenantId(),
                    key.stream(),
                    flushes.stream().map(TableFlush::flush).toList(),
                    commit.found);
            long millis = (System.nanoTime() - started) / 1_000_000;
            mailbox.execute(() -> settle(table, flushes, outcomes, millis), "settle the commit to %s", key);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            mailbox.execute(() -> quarantine(table, e), "quarantine %s", key);
        } catch (Throwable e) {
            // An error does not concern this table alone: the job fails, because otherwise the table would never be
            // tried again.
            mailbox.execute(() -> ExceptionUtils.rethrow(e), "fail for %s", key);
        }
    }

    private void settle(PendingTable table, List<TableFlush> flushes, List<CommitOutcome> outcomes, long millis)
            throws Exception {
        for (int i = 0; i < flushes.size(); i++) {
            requireSettled(flushes.get(i), outcomes.get(i), table.isRestored(flushes.get(i)));
        }
        commits.inc();
        commitMillis.inc(millis);
        committedFlushes.inc(flushes.size());
        table.succeeded(flushes);
        setCurrentKey(table.table());
        if (table.isEmpty()) {
            pending.remove(table.table());
            state.clear();
        } else {
            state.update(new ArrayList<>(table.flushes()));
        }
        if (quarantined > 0) {
            countQuarantined();
        }
        for (TableFlush flush : flushes) {
            output.collect(new StreamRecord<>(flush.acknowledgement()));
        }
        commitIfReady(table);
    }

    private static void requireSettled(TableFlush flush, CommitOutcome outcome, boolean restored) {
        switch (outcome.status()) {
            case COMMITTED, ALREADY_THERE -> {}
            case MISSING -> {
                String missing = "A flush is missing before offsets [%d, %d) of %s: the table of %s ends at %d; "
                        .formatted(
                                flush.flush().from(),
                                flush.flush().to(),
                                flush.partition(),
                                flush.table(),
                                outcome.tableOffset());
                if (restored) {
                    throw new SuppressRestartsException(new FilesUnusableException(missing
                            + "the job must start without its checkpoint, which reads the rows again from Kafka"));
                }
                throw new IngestException(missing + "restarting from the last checkpoint");
            }
            case FILES_UNUSABLE ->
                throw new SuppressRestartsException(new FilesUnusableException(
                        "LogBlocks of offsets [%d, %d) of %s for the table of %s no longer exist, or the table was recreated; the job must start without its checkpoint, which reads the rows again from Kafka"
                                .formatted(
                                        flush.flush().from(), flush.flush().to(), flush.partition(), flush.table())));
        }
    }

    private void quarantine(PendingTable table, Exception failure) {
        long backOff = table.failed(clock.ticks());
        countQuarantined();
        LOGGER.error(
                "Cannot commit to the table of {}; its flushes are kept, next attempt in {} ms",
                table.table(),
                backOff,
                failure);
    }

    @Override
    public void close() throws Exception {
        if (nextTick != null) {
            nextTick.cancel(false);
        }
        if (threads != null) {
            threads.shutdownNow();
        }
        storage.close();
        super.close();
    }

    /** A commit that waits for a thread, or runs. Used by one thread at a time. */
    private static final class WaitingCommit {
        private final PendingTable pending;
        private final List<TableFlush> flushes;
        private final boolean isQuarantined;
        private Optional<CommitTables.Found> found = Optional.empty();

        WaitingCommit(PendingTable pending, List<TableFlush> flushes) {
            this.pending = pending;
            this.flushes = flushes;
            this.isQuarantined = pending.isQuarantined();
        }

        TableKey table() {
            return pending.table();
        }
    }
}
