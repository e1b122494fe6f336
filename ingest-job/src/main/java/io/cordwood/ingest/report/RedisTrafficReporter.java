package io.cordwood.ingest.report;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Writes reports to Redis on a thread of its own: hash {@code cordwood:traffic:<stream>}, one field for each partition.
 * A report replaces the previous one. While Redis is unavailable, reports are dropped and the job continues.
 */
public final class RedisTrafficReporter implements TrafficReporter {
    private static final Logger LOG = LoggerFactory.getLogger(RedisTrafficReporter.class);
    private static final String KEY_PREFIX = "cordwood:traffic:";

    private final RedisClient client;
    private final ExecutorService thread;
    /** Used by the thread only. */
    private boolean away;

    /**
     * Connects with the first report.
     *
     * @param redis for example {@code redis://127.0.0.1:6379}
     */
    public RedisTrafficReporter(URI redis) {
        client = RedisClient.create(redis);
        // One report in progress and one waiting: older waiting reports are useless.
        thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(1),
                Thread.ofPlatform().name("traffic-report").daemon().factory(),
                new ThreadPoolExecutor.DiscardOldestPolicy());
    }

    @Override
    public void report(TrafficReport report) {
        thread.execute(() -> write(report));
    }

    private void write(TrafficReport report) {
        try {
            report.streams().forEach((stream, partitions) -> {
                Map<String, String> fields = new HashMap<>();
                partitions.forEach((partition, traffic) ->
                        fields.put(Integer.toString(partition), report.toJson(partition, traffic)));
                client.hset(KEY_PREFIX + stream, fields);
            });
            away = false;
        } catch (JedisException e) {
            if (!away) {
                LOG.warn(
                        "Cannot report traffic to Redis; the balancer plans without traffic until Redis works again",
                        e);
            }
            away = true;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        client.close();
    }
}
