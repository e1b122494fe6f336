package io.cordwood.ingest.commit;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.ingest.source.LogPartition;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies archived-through to the consumer group on a thread of its own: an unreachable group delays nothing. Offsets
 * that arrive during a copy are copied immediately after it; offsets that could not be copied are copied later.
 * Thread-safe.
 */
final class GroupOffsetsCopier implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(GroupOffsetsCopier.class);
    private static final long MIN_BACK_OFF_MILLIS = 1000;
    private static final long MAX_BACK_OFF_MILLIS = Duration.ofMinutes(5).toMillis();

    private final GroupOffsets group;
    private final long minBackOffMillis;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("consumer-group-offsets").daemon().factory());
    private final Map<LogPartition, Long> waiting = new HashMap<>();
    private Optional<Future<?>> ordered = Optional.empty();
    private int failures;

    GroupOffsetsCopier(GroupOffsets group) {
        this(group, MIN_BACK_OFF_MILLIS);
    }

    /**
     * Retries with a different delay.
     *
     * @param minBackOffMillis the first delay; it doubles with each failure
     */
    GroupOffsetsCopier(GroupOffsets group, long minBackOffMillis) {
        this.group = group;
        this.minBackOffMillis = minBackOffMillis;
    }

    /** Schedules a copy of these offsets. */
    synchronized void show(Map<LogPartition, Long> offsets) {
        waiting.putAll(offsets);
        order(0);
    }

    private synchronized void order(long delayMillis) {
        if (ordered.isEmpty() && !thread.isShutdown()) {
            ordered = Optional.of(thread.schedule(this::copy, delayMillis, TimeUnit.MILLISECONDS));
        }
    }

    private synchronized Map<LogPartition, Long> takeWaiting() {
        Map<LogPartition, Long> taken = Map.copyOf(waiting);
        waiting.clear();
        ordered = Optional.empty();
        return taken;
    }

    private void copy() {
        Map<LogPartition, Long> taken = takeWaiting();
        try {
            group.show(taken);
            succeeded();
        } catch (RuntimeException e) {
            failed(taken, e);
        }
    }

    private synchronized void succeeded() {
        failures = 0;
    }

    private synchronized void failed(Map<LogPartition, Long> taken, RuntimeException failure) {
        if (thread.isShutdown()) {
            return;
        }
        // Offsets that arrived meanwhile are newer.
        taken.forEach(waiting::putIfAbsent);
        long backOff = BackOff.delayMillis(failures, minBackOffMillis, MAX_BACK_OFF_MILLIS);
        failures++;
        LOGGER.warn(
                "Cannot copy archived-through offsets to the consumer group; lag tools show old offsets; next attempt within {} ms",
                backOff,
                failure);
        order(backOff);
    }

    @Override
    public synchronized void close() {
        thread.shutdownNow();
        group.close();
    }
}
