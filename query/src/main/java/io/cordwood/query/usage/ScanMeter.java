package io.cordwood.query.usage;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.cordwood.catalog.usage.Scans;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A meter of the bytes that queries read on this node, by tenant, stream and hour. It reports them to the catalog
 * service every few seconds and at shutdown. Thread-safe.
 *
 * <p>Reports contain totals since the start, under a name that is unique to this start: repeating a report, or losing
 * its answer, changes nothing. An hour is closed an hour after its end, or at shutdown. A killed node loses the counts
 * since its last report, and the bytes of the LogBlocks that were being read.
 */
public final class ScanMeter {
    private static final Logger LOG = LoggerFactory.getLogger(ScanMeter.class);

    private record Key(String tenantId, String stream, long hour) {}

    private final Consumer<Scans> service;
    private final Clock clock;
    private final long intervalMillis;
    private final String incarnation = UUID.randomUUID().toString();
    private final Map<Key, LongAdder> totals = new ConcurrentHashMap<>();
    private final Map<Key, Long> reported = new HashMap<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new ThreadFactoryBuilder()
                    .setNameFormat("cordwood-scan-meter-%s")
                    .setDaemon(true)
                    .build());
    private Optional<ScheduledFuture<?>> reports = Optional.empty();

    /**
     * Creates an empty meter.
     *
     * @param service receives reports, or throws
     */
    public ScanMeter(Consumer<Scans> service, long intervalMillis, Clock clock) {
        this.service = service;
        this.intervalMillis = intervalMillis;
        this.clock = clock;
    }

    public void start() {
        reports = Optional.of(thread.scheduleWithFixedDelay(
                this::tryToReport, intervalMillis, intervalMillis, TimeUnit.MILLISECONDS));
    }

    /** Adds bytes that were read of a tenant's rows. */
    public void read(String tenantId, String stream, long bytes) {
        if (bytes > 0) {
            totals.computeIfAbsent(new Key(tenantId, stream, hour()), key -> new LongAdder())
                    .add(bytes);
        }
    }

    private long hour() {
        return TimeUnit.MILLISECONDS.toHours(clock.millis());
    }

    private void tryToReport() {
        tryTo(this::report);
    }

    private static void tryTo(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException e) {
            LOG.warn("Cannot report scanned bytes; the next report contains them", e);
        }
    }

    /** Reports changed totals, and closes and forgets past hours. */
    void report() {
        // Hours before the last one no longer change
        report(hour() - 1);
    }

    private synchronized void report(long firstOpenHour) {
        List<Scans.Total> news = new ArrayList<>();
        totals.forEach((key, total) -> {
            long bytes = total.sum();
            if (bytes != reported.getOrDefault(key, 0L)) {
                news.add(new Scans.Total(key.tenantId(), key.stream(), key.hour(), bytes));
            }
        });
        boolean closes = totals.keySet().stream().anyMatch(key -> key.hour() < firstOpenHour);
        if (!news.isEmpty() || closes) {
            service.accept(new Scans(incarnation, firstOpenHour, news));
            news.forEach(total -> reported.put(new Key(total.tenantId(), total.stream(), total.hour()), total.bytes()));
        }
        totals.keySet().removeIf(key -> key.hour() < firstOpenHour);
        reported.keySet().removeIf(key -> key.hour() < firstOpenHour);
    }

    public void close() {
        reports.ifPresent(task -> task.cancel(false));
        thread.shutdown();
        // This is the last report, so it closes the current hour too
        tryTo(() -> report(hour() + 1));
    }
}
