package io.cordwood.hot.statistics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.PartitionId;
import io.cordwood.logblock.match.Tokenizer;
import java.io.Closeable;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.params.ZRangeParams;

/**
 * Statistics of chunks in Redis: a hash for each partition, its fields the chunks' numbers; and one of columns, its fields
 * a chunk's number, a slash and a tenant's id. Thread-safe.
 *
 * <p>Nothing in it is needed for a right answer: what is missing, damaged or of another version is read from Kafka. Every
 * method throws {@link redis.clients.jedis.exceptions.JedisException} while Redis is away, soon.
 */
public final class StatisticsStore implements Closeable {
    private static final String KEY_PREFIX = "cordwood:hot:1:";
    /** Terms are what the analyzer makes of texts. */
    private static final String COLUMNS_KEY_PREFIX = "cordwood:hot:columns:1.%d:".formatted(Tokenizer.VERSION);

    private static final String ASKED_KEY_PREFIX = "cordwood:hot:asked:";
    private static final int MAX_ASKED = 10_000;
    private static final String FIELD_SEPARATOR = "/";
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

    private static byte[] columnsKey(String stream, PartitionId partition) {
        return (COLUMNS_KEY_PREFIX + stream + ":" + partition).getBytes(UTF_8);
    }

    private static byte[] field(long number) {
        return Long.toString(number).getBytes(UTF_8);
    }

    private static byte[] field(long number, String tenantId) {
        return (number + FIELD_SEPARATOR + tenantId).getBytes(UTF_8);
    }

    private static long number(byte[] field) {
        return Long.parseLong(new String(field, UTF_8).split(FIELD_SEPARATOR, 2)[0]);
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

    /** Stores columns of tenants in chunks of a partition in place of what was known of the same ones. */
    public void putColumns(String stream, PartitionId partition, Collection<TenantColumns> columns) {
        byte[] key = columnsKey(stream, partition);
        try (Pipeline pipeline = client.pipelined()) {
            columns.forEach(each ->
                    pipeline.hset(key, field(each.number(), each.tenantId()), TenantColumnsFormat.encode(each)));
            pipeline.expire(key, TIME_TO_LIVE_SECONDS);
            pipeline.sync();
        }
    }

    /** Takes note that queries of a tenant's rows have conditions on columns. */
    public void ask(String stream, String tenantId) {
        try (Pipeline pipeline = client.pipelined()) {
            pipeline.zadd(ASKED_KEY_PREFIX + stream, (double) Instant.now().getEpochSecond(), tenantId);
            pipeline.zremrangeByRank(ASKED_KEY_PREFIX + stream, 0, -MAX_ASKED - 1);
            pipeline.sync();
        }
    }

    /** Tenants of whose rows queries have had conditions on columns since then. */
    public Set<String> asked(String stream, Instant since) {
        return Set.copyOf(client.zrange(
                ASKED_KEY_PREFIX + stream,
                ZRangeParams.zrangeByScoreParams((double) since.getEpochSecond(), Double.POSITIVE_INFINITY)));
    }

    /** Removes what is known of chunks that lie wholly below an offset. */
    public void trim(String stream, PartitionId partition, long below) {
        trim(key(stream, partition), below);
        trim(columnsKey(stream, partition), below);
    }

    private void trim(byte[] key, long below) {
        Set<byte[]> fields = client.hkeys(key);
        byte[][] old = fields.stream()
                .filter(field -> number(field) < ChunkStatistics.number(below))
                .toArray(byte[][]::new);
        if (old.length > 0) {
            client.hdel(key, old);
        }
    }

    /** What is stored of chunks, in one round trip, by partition and number. */
    public Map<PartitionId, List<ChunkStatistics>> get(String stream, Map<PartitionId, List<Long>> numbers) {
        return get(
                numbers,
                partition -> key(stream, partition),
                StatisticsStore::field,
                (partition, bytes) -> ChunkStatisticsFormat.decode(bytes)
                        .filter(chunk -> chunk.span().partition() == partition.partition()));
    }

    /** What is stored of a tenant's columns in chunks, in one round trip, by partition and number. */
    public Map<PartitionId, List<TenantColumns>> getColumns(
            String stream, String tenantId, Map<PartitionId, List<Long>> numbers) {
        return get(
                numbers,
                partition -> columnsKey(stream, partition),
                number -> field(number, tenantId),
                (partition, bytes) -> TenantColumnsFormat.decode(bytes)
                        .filter(columns -> columns.span().partition() == partition.partition()
                                && columns.tenantId().equals(tenantId)));
    }

    private <T> Map<PartitionId, List<T>> get(
            Map<PartitionId, List<Long>> numbers,
            Function<PartitionId, byte[]> key,
            LongFunction<byte[]> field,
            BiFunction<PartitionId, byte[], Optional<T>> decode) {
        Map<PartitionId, Response<List<byte[]>>> answers = new HashMap<>();
        try (Pipeline pipeline = client.pipelined()) {
            numbers.forEach((partition, wanted) -> answers.put(
                    partition,
                    pipeline.hmget(
                            key.apply(partition),
                            wanted.stream().map(field::apply).toArray(byte[][]::new))));
            pipeline.sync();
        }
        Map<PartitionId, List<T>> found = new HashMap<>();
        answers.forEach((partition, answer) -> found.put(
                partition,
                answer.get().stream()
                        .filter(Objects::nonNull)
                        .flatMap(bytes -> decode.apply(partition, bytes).stream())
                        .toList()));
        return found;
    }

    @Override
    public void close() {
        client.close();
    }
}
