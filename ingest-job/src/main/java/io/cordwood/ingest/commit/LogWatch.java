package io.cordwood.ingest.commit;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.OpenTransaction;
import io.cordwood.ingest.source.TopicInspector;
import io.cordwood.ingest.source.TopicState;
import io.cordwood.ingest.source.TopicState.PartitionLook;
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
 * Looks every now and then for what loses rows in Kafka or holds them back there, and says so in the log: settings of a
 * topic that the job would refuse at its start, so many bytes that are not archived that Kafka will soon delete some,
 * and transactions that stay open. On a thread of its own: Kafka that cannot be asked holds nobody up. Thread-safe.
 */
final class LogWatch implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(LogWatch.class);
    private static final long PERIOD_SECONDS = 30;
    /** Of the bytes that Kafka keeps of a partition: as soon as so many of them wait, it is said. */
    private static final int NEARLY_ALL_PERCENT = 70;

    private final TopicInspector logs;
    private final TableStorage lake;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("log-watch").daemon().factory());
    private final Set<String> streams = ConcurrentHashMap.newKeySet();
    /** Used by the watching thread only: what was said of each stream's settings. */
    private final Map<String, String> problems = new HashMap<>();
    /** Used by the watching thread only: partitions of which it was said that Kafka will soon delete what waits. */
    private final Set<LogPartition> nearlyFull = new HashSet<>();
    /** Used by the watching thread only: where transactions that were open at the last look hold partitions. */
    private Map<LogPartition, Long> openAt = Map.of();

    private volatile int unsafeTopics;
    private volatile int retentionUsedPercent;
    private volatile int heldPartitions;
    private volatile boolean failing;

    /** @param lake is asked for W; closed by others */
    LogWatch(TopicInspector logs, TableStorage lake) {
        this.logs = logs;
        this.lake = lake;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a look says itself why it fails
    void start() {
        thread.scheduleWithFixedDelay(this::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** Looks at this stream from now on. */
    void watch(String stream) {
        streams.add(stream);
    }

    /** Topics whose settings lose rows. */
    int unsafeTopics() {
        return unsafeTopics;
    }

    /** How much of what Kafka keeps of a partition is not archived, of the partition that has most of it. */
    int retentionUsedPercent() {
        return retentionUsedPercent;
    }

    /** Partitions that a transaction has held at one offset since the look before the last one. */
    int heldPartitions() {
        return heldPartitions;
    }

    /** Looks once. What cannot be looked at is left out until the next time. */
    void look() {
        List<RuntimeException> failures = new ArrayList<>();
        int unsafe = 0;
        int used = 0;
        Map<LogPartition, Long> open = new HashMap<>();
        for (String stream : streams) {
            try {
                Optional<TopicState> look = logs.look(stream);
                if (look.isEmpty()) {
                    problems.remove(stream);
                    continue;
                }
                unsafe += saySettings(stream, look.get());
                open.putAll(open(stream, look.get()));
                used = Math.max(used, sayWaiting(stream, look.get()));
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
                sayHeld(partition, logs.openTransactions(partition.stream(), partition.partition()));
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        sayFailures(failures);
    }

    private void sayFailures(List<RuntimeException> failures) {
        if (!failures.isEmpty() && !failing && !thread.isShutdown()) {
            LOGGER.warn(
                    "Cannot look at all of the topics' settings, sizes and transactions; trying again every {} s",
                    PERIOD_SECONDS,
                    failures.getFirst());
        }
        failing = !failures.isEmpty();
    }

    private static Map<LogPartition, Long> open(String stream, TopicState look) {
        Map<LogPartition, Long> open = new HashMap<>();
        look.partitions().forEach((number, log) -> {
            if (log.stableEnd() < log.end()) {
                open.put(new LogPartition(stream, look.topicId(), number), log.stableEnd());
            }
        });
        return open;
    }

    private int saySettings(String stream, TopicState look) {
        String problem = look.problem().orElse("");
        String before = problem.isEmpty() ? problems.remove(stream) : problems.put(stream, problem);
        if (!problem.isEmpty() && !problem.equals(before)) {
            LOGGER.error("Settings were changed so that rows can be lost. {}", problem);
        }
        return problem.isEmpty() ? 0 : 1;
    }

    private int sayWaiting(String stream, TopicState look) {
        if (look.retentionBytes() <= 0) {
            return 0;
        }
        Map<PartitionId, Long> archivedThrough = lake.archivedThrough(stream);
        int used = 0;
        for (Map.Entry<Integer, PartitionLook> log : look.partitions().entrySet()) {
            LogPartition partition = new LogPartition(stream, look.topicId(), log.getKey());
            long waiting = log.getValue().bytesFrom(archivedThrough.getOrDefault(partition.id(), 0L));
            used = Math.max(used, sayWaiting(partition, waiting, look.retentionBytes()));
        }
        return used;
    }

    private int sayWaiting(LogPartition partition, long waiting, long retentionBytes) {
        int percent = (int) Math.min(100, 100.0 * waiting / retentionBytes);
        if (percent < NEARLY_ALL_PERCENT) {
            nearlyFull.remove(partition);
        } else if (nearlyFull.add(partition)) {
            LOGGER.error(
                    "{}: about {} bytes are not archived, and Kafka keeps {}, then deletes rows that are in no table; set retention.bytes=-1 of topic '{}' or raise it, and see why archived-through is late",
                    partition,
                    waiting,
                    retentionBytes,
                    partition.stream());
        }
        return percent;
    }

    private static void sayHeld(LogPartition partition, List<OpenTransaction> transactions) {
        if (transactions.isEmpty()) {
            return;
        }
        OpenTransaction first = transactions.getFirst();
        LOGGER.warn(
                "{}: a transaction of producer {} (transactional id '{}') has been open at offset {} for {} s or more; no row behind it is archived or seen by queries before it ends; end it in the producer, or with kafka-transactions.sh abort --topic {} --partition {} --start-offset {}",
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
