package io.cordwood.systemtests.balance;

import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Lab;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** Watches the job's ingestion and its lag, on its own thread. Thread-safe. */
final class IngestWatch implements AutoCloseable {
    private static final long POLL_MILLIS = 200;
    private static final String REPORTS = "cordwood:traffic:" + Lab.STREAM;

    private final Archiving archiving;
    private final Admin admin;
    private final RedisClient redis;
    private final Thread thread;
    private final Map<Integer, PartitionEnds> ends = new HashMap<>();
    private final Map<Integer, Long> lastReports = new HashMap<>();
    private final List<IngestReport> intervals = new ArrayList<>();
    private volatile boolean stopped;

    IngestWatch(Lab lab) throws InterruptedException, ExecutionException {
        admin = lab.admin();
        archiving = new Archiving(lab, admin);
        redis = RedisClient.create(URI.create(lab.redis()));
        long now = System.currentTimeMillis();
        archiving.endOffsets().forEach((partition, end) -> {
            recordEnd(partition, now, end);
            lastReports.put(partition, now);
        });
        thread = Thread.ofPlatform().name("ingest-watch").start(this::watch);
    }

    private void watch() {
        try {
            while (!stopped) {
                Thread.sleep(POLL_MILLIS);
                poll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | IOException | JedisException e) {
            System.err.println("Stopped watching the job's ingestion: " + e);
        }
    }

    private void poll() throws InterruptedException, ExecutionException, IOException {
        Map<String, String> reports = redis.hgetAll(REPORTS);
        long now = System.currentTimeMillis();
        Map<Integer, Long> latest = archiving.endOffsets();
        synchronized (this) {
            latest.forEach((partition, end) -> recordEnd(partition, now, end));
            for (String report : reports.values()) {
                take(IngestReport.parse(report));
            }
        }
    }

    private void recordEnd(int partition, long atMillis, long end) {
        ends.computeIfAbsent(partition, unknown -> new PartitionEnds()).add(atMillis, end);
    }

    private void take(IngestReport report) {
        int partition = report.partition();
        if (report.toMillis() > lastReports.getOrDefault(partition, 0L) && ends.containsKey(partition)) {
            lastReports.put(partition, report.toMillis());
            intervals.add(report.left(ends.get(partition)));
        }
    }

    /** The reports that end at or after one time and before another. */
    synchronized List<IngestReport> between(long fromMillis, long toMillis) {
        return intervals.stream()
                .filter(interval -> interval.toMillis() >= fromMillis && interval.toMillis() < toMillis)
                .collect(Collectors.toUnmodifiableList());
    }

    /** Whether the newest report of every partition began after that time and shows no longer delay than this. */
    synchronized boolean isLevel(long sinceMillis, long delayMillis) {
        Map<Integer, IngestReport> newest = new HashMap<>();
        intervals.forEach(interval -> newest.put(interval.partition(), interval));
        return new TreeSet<>(ends.keySet()).equals(new TreeSet<>(newest.keySet()))
                && newest.values().stream()
                        .allMatch(interval ->
                                interval.fromMillis() >= sinceMillis && interval.delayMillis() <= delayMillis);
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        redis.close();
        admin.close();
    }
}
