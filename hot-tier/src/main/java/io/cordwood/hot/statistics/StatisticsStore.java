package io.cordwood.hot.statistics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.PartitionId;
import java.io.Closeable;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;

/**
 * Statistics of chunks in Redis: a hash for each partition, its fields the chunks' numbers. Thread-safe.
 *
 * <p>Nothing in it is needed for a right answer: what is missing, damaged or of another version is read from Kafka. Every
 * method throws {@link redis.clients.jedis.exceptions.JedisException} while Redis is away, soon.
 */
public final class StatisticsStore implements Closeable {
    private static final String KEY_PREFIX = "cordwood:hot:1:";
    private static final long TIME_TO_LIVE_SECONDS = Duration.ofDays(8).toSeconds();
    private static final int DEFAULT_PORT = 6379;
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final RedisClient client;

    /** @param redis for example {@code redis://127.0.0.1:6379}; may carry user, password and database */
    public StatisticsStore(URI redis) {
        int timeout = Math.toIntExact(TIMEOUT.toMillis());
        client = RedisClient.builder()
                .hostAndPort(redis.getHost(), redis.getPort() < 0 ? DEFAULT_PORT : redis.getPort())
                .clientConfig(DefaultJedisClientConfig.builder(redis)
                        .connectionTimeoutMillis(timeout)
                        .socketTimeoutMillis(timeout)
                        .build())
                .build();
    }

    private static byte[] key(String stream, PartitionId partition) {
        return (KEY_PREFIX + stream + ":" + partition).getBytes(UTF_8);
    }

    private static byte[] field(long number) {
        return Long.toString(number).getBytes(UTF_8);
    }

    /** Stores chunks of a partition in place of older statistics of the same chunks. */
    public void put(String stream, PartitionId partition, Collection<ChunkStatistics> chunks) {
        byte[] key = key(stream, partition);
        try (Pipeline pipeline = client.pipelined()) {
            chunks.forEach(chunk -> pipeline.hset(key, field(chunk.number()), ChunkStatisticsFormat.encode(chunk)));
            pipeline.expire(key, TIME_TO_LIVE_SECONDS);
            pipeline.sync();
        }
    }

    /** Removes chunks that lie wholly below an offset. */
    public void trim(String stream, PartitionId partition, long below) {
        byte[] key = key(stream, partition);
        Set<byte[]> fields = client.hkeys(key);
        byte[][] old = fields.stream()
                .filter(field -> Long.parseLong(new String(field, UTF_8)) < ChunkStatistics.number(below))
                .toArray(byte[][]::new);
        if (old.length > 0) {
            client.hdel(key, old);
        }
    }

    /** What is stored of chunks, in one round trip, by partition and number. */
    public Map<PartitionId, List<ChunkStatistics>> get(String stream, Map<PartitionId, List<Long>> numbers) {
        Map<PartitionId, Response<List<byte[]>>> answers = new HashMap<>();
        try (Pipeline pipeline = client.pipelined()) {
            numbers.forEach((partition, wanted) -> answers.put(
                    partition,
                    pipeline.hmget(
                            key(stream, partition),
                            wanted.stream().map(StatisticsStore::field).toArray(byte[][]::new))));
            pipeline.sync();
        }
        Map<PartitionId, List<ChunkStatistics>> found = new HashMap<>();
        answers.forEach((partition, answer) -> {
            List<ChunkStatistics> chunks = new ArrayList<>();
            for (byte[] bytes : answer.get()) {
                if (bytes != null) {
                    ChunkStatisticsFormat.decode(bytes)
                            .filter(chunk -> chunk.span().partition() == partition.partition())
                            .ifPresent(chunks::add);
                }
            }
            found.put(partition, chunks);
        });
        return found;
    }

    @Override
    public void close() {
        client.close();
    }
}
