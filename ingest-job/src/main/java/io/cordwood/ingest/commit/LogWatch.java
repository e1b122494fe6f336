package io.cordwood.ingest.commit;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.OpenTransaction;
import io.cordwood.ingest.source.TopicInspector;
import io.cordwood.ingest.source.TopicState;
import io.cordwood.ingest.source.TopicState.PartitionLog;
import io.cordwood.ingest.storage.TableStorage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically checks for problems in Kafka that lose rows or hold them back, and logs them: topic settings that the
 * job would refuse at its start, so many unarchived bytes that Kafka will soon delete some, and transactions that stay
 * open. Runs on a thread of its own: an unreachable Kafka delays nothing. Thread-safe.
 */
final class LogWatch implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(LogWatch.class);
    private static final long PERIOD_SECONDS = 30;
    /** Share of the bytes that Kafka keeps of a partition: warns once this share is unarchived. */
    private static final int NEARLY_ALL_PERCENT = 70;

    private final TopicInspector logs;
    private final TableStorage storage;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("log-watch").daemon().factory());
    private final Set<String> streams = ConcurrentHashMap.newKeySet();
    /** Used by the watching thread only: the last logged problem of each stream's settings. */
    private final Map<String, String> problems = new HashMap<>();
    /** Used by the watching thread only: partitions already logged as nearly full. */
    private final Set<LogPartition> nearlyFull = new HashSet<>();
    /** Used by the watching thread only: the offsets at which transactions held partitions at the last check. */
    private Map<LogPartition, Long> openAt = Map.of();

    private volatile int unsafeTopics;
    private volatile int retentionUsedPercent;
    private volatile int heldPartitions;
    private volatile boolean failing;

    /** @param storage source of archived-through; closed by others */
    LogWatch(TopicInspector logs, TableStorage storage) {
        this.logs = logs;
        this.storage = storage;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a check logs its own failures
    void start() {
        thread.scheduleWithFixedDelay(this::check, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** Watches this stream from now on. */
    void watch(String stream) {
        streams.add(stream);
    }

    /** Number of topics whose settings lose rows. */
    int unsafeTopics() {
        return unsafeTopics;
    }

    /** Percentage of a partition's retention that is unarchived, for the partition with the highest one. */
    int retentionUsedPercent() {
        return retentionUsedPercent;
    }

    /** Number of partitions that a transaction has held at one offset since the check before the last one. */
    int heldPartitions() {
        return heldPartitions;
    }

    /** Checks all streams once. A stream that cannot be inspected is left out until the next check. */
    void check() {
        List<RuntimeException> failures = new ArrayList<>();
        int unsafe = 0;
        int used = 0;
        Map<LogPartition, Long> open = new HashMap<>();
        for (String stream : streams) {
            try {
                Optional<TopicState> state = logs.inspect(stream);
                if (state.isEmpty()) {
                    problems.remove(stream);
                    continue;
                }
                unsafe += reportSettings(stream, state.get());
                open.putAll(open(stream, state.get()));
                used = Math.max(used, reportWaiting(stream, state.get()));
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        Map<LogPartition, Long> held = new HashMap<>(open);
        held.entrySet().retainAll(openAt.entrySet());
        unsafeTopics = unsafe;
        retentionUsedPercent = used;
        heldPartitions = held.size();
        openAt = open;
        for (LogPartition partition : held.keySet()) {
            try {
                reportHeld(partition, logs.openTransactions(partition.stream(), partition.partition()));
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        reportFailures(failures);
    }

    private void reportFailures(List<RuntimeException> failures) {
        if (!failures.isEmpty() && !failing && !thread.isShutdown()) {
            LOGGER.warn(
                    "Cannot inspect the settings, sizes and transactions of all topics; next attempts every {} s",
                    PERIOD_SECONDS,
                    failures.getFirst());
        }
        failing = !failures.isEmpty();
    }

    private static Map<LogPartition, Long> open(String stream, TopicState state) {
        Map<LogPartition, Long> open = new HashMap<>();
        state.partitions().forEach((number, log) -> {
            if (log.stableEnd() < log.end()) {
                open.put(new LogPartition(stream, state.topicId(), number), log.stableEnd());
            }
        });
        return open;
    }

    private int reportSettings(String stream, TopicState state) {
        String problem = state.problem().orElse("");
        String before = problem.isEmpty() ? problems.remove(stream) : problems.put(stream, problem);
        if (!problem.isEmpty() && !problem.equals(before)) {
            LOGGER.error("Changed topic settings can lose rows. {}", problem);
        }
        return problem.isEmpty() ? 0 : 1;
    }

    private int reportWaiting(String stream, TopicState state) {
        if (state.retentionBytes() <= 0) {
            return 0;
        }
        Map<PartitionId, Long> archivedThrough = storage.archivedThrough(stream);
        int used = 0;
        for (Map.Entry<Integer, PartitionLog> log : state.partitions().entrySet()) {
            LogPartition partition = new LogPartition(stream, state.topicId(), log.getKey());
            long waiting = log.getValue().bytesFrom(archivedThrough.getOrDefault(partition.id(), 0L));
            used = Math.max(used, reportWaiting(partition, waiting, state.retentionBytes()));
        }
        return used;
    }

    private int reportWaiting(LogPartition partition, long waiting, long retentionBytes) {
        int percent = (int) Math.min(100, 100.0 * waiting / retentionBytes);
        if (percent < NEARLY_ALL_PERCENT) {
            nearlyFull.remove(partition);
        } else if (nearlyFull.add(partition)) {
            LOGGER.error(
                    "{}: about {} bytes are not archived; Kafka keeps {}, then deletes rows that are in no table; set retention.bytes=-1 of topic '{}' or raise it, and find out why archived-through is late",
                    partition,
                    waiting,
                    retentionBytes,
                    partition.stream());
        }
        return percent;
    }

    private static void reportHeld(LogPartition partition, List<OpenTransaction> transactions) {
        if (transactions.isEmpty()) {
            return;
        }
        OpenTransaction first = transactions.getFirst();
        LOGGER.warn(
                "{}: a transaction of producer {} (transactional id '{}') has been open at offset {} for {} s or more; no row behind it is archived or visible to queries before it ends; end it in the producer, or with kafka-transactions.sh abort --topic {} --partition {} --start-offset {}",
                partition,
                first.producerId(),
                first.transactionalId(),
                first.start(),
                PERIOD_SECONDS,
                partition.stream(),
                partition.partition(),
                first.start());
    }

    @Override
    public void close() {
        thread.shutdownNow();
        logs.close();
    }
}
