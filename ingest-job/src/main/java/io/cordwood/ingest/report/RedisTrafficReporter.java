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
 * Writes reports to Redis on a thread of its own: hash {@code cordwood:traffic:<stream>}, a field for each partition. A
 * report replaces the one before. While Redis is away reports are dropped; the job goes on.
 */
public final class RedisTrafficReporter implements TrafficReporter {
    private static final Logger LOG = LoggerFactory.getLogger(RedisTrafficReporter.class);
    private static final String KEY_PREFIX = "cordwood:traffic:";

    private final RedisClient client;
    private final ExecutorService thread;
    /** Used by the thread only. */
    private boolean away;

    /**
     * Connects when there is something to write.
     *
     * @param redis for example {@code redis://127.0.0.1:6379}
     */
    public RedisTrafficReporter(URI redis) {
        client = RedisClient.create(redis);
        // One report under way and one waiting: where more wait, the older is of no use any more.
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
                LOG.warn("Cannot report traffic to Redis; the balancer plans without it until that works again", e);
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
