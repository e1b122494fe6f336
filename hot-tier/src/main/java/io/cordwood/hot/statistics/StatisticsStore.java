package io.cordwood.hot.statistics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.logblock.match.Tokenizer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ZRangeParams;

/**
 * Statistics of chunks in Redis. Each partition has a hash whose fields are a chunk's number, an at sign and the epoch
 * of the partition's leader. Another hash holds columns; its fields are the same, a slash and a tenant's id. Statistics
 * from under another leader are not found, and are removed when their offsets are archived. Thread-safe.
 *
 * <p>Answers are right without it: records with missing or damaged statistics, or statistics of another version, are
 * read from Kafka. Every method throws {@link redis.clients.jedis.exceptions.JedisException} soon while Redis is
 * unavailable.
 */
public final class StatisticsStore implements StatisticsSource, StatisticsSink {
    private static final String KEY_PREFIX = "cordwood:hot:2:";
    /** The terms are tokens of the analyzer. */
    private static final String COLUMNS_KEY_PREFIX = "cordwood:hot:columns:2.%d:".formatted(Tokenizer.VERSION);

    private static final String ASKED_KEY_PREFIX = "cordwood:hot:asked:";
    private static final int MAX_ASKED = 10_000;
    /**
     * Limit of the columns of a partition: about 500 chunks with one large tenant, or 4 million records. That is more
     * than the unarchived records while the job keeps up. A hundred partitions that stay unarchived for long fill 3.2
     * GB of Redis.
     */
    static final long MAX_COLUMNS_BYTES = 32L << 20;

    private static final String EPOCH_SEPARATOR = "@";
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

    private static String field(long number, int leaderEpoch) {
        return number + EPOCH_SEPARATOR + leaderEpoch;
    }

    static String field(long number, int leaderEpoch, String tenantId) {
        return field(number, leaderEpoch) + FIELD_SEPARATOR + tenantId;
    }

    private static long number(String field) {
        return Long.parseLong(field.split(EPOCH_SEPARATOR, 2)[0]);
    }

    /** Stores chunks of a partition, and replaces older statistics of the same chunks. */
    @Override
    public void put(String stream, PartitionEpoch partition, Collection<ChunkStatistics> chunks) {
        Map<String, byte[]> values = new HashMap<>();
        chunks.forEach(chunk ->
                values.put(field(chunk.number(), partition.leaderEpoch()), ChunkStatisticsFormat.encode(chunk)));
        put(key(stream, partition.partition()), values);
    }

    /**
     * Stores columns of tenants in chunks of a partition, and replaces older ones. Removes the partition's oldest
     * columns beyond {@link #MAX_COLUMNS_BYTES}.
     *
     * @throws JedisDataException also if Redis refused some of them, for example because its memory is full
     */
    @Override
    public void putColumns(String stream, PartitionEpoch partition, Collection<TenantColumns> columns) {
        byte[] key = columnsKey(stream, partition.partition());
        Map<String, byte[]> values = new HashMap<>();
        columns.forEach(each -> values.put(
                field(each.number(), partition.leaderEpoch(), each.tenantId()), TenantColumnsFormat.encode(each)));
        try {
            put(key, values);
        } finally {
            // Also if Redis is full; not each time a chunk has grown: that exceeds the limit by one chunk at most
            if (columns.stream().anyMatch(TenantColumns::isWhole)) {
                remove(key, excess(lengths(key), MAX_COLUMNS_BYTES));
            }
        }
    }

    private void put(byte[] key, Map<String, byte[]> values) {
        List<Response<Long>> answers = new ArrayList<>();
        try (Pipeline pipeline = client.pipelined()) {
            values.forEach((field, value) -> answers.add(pipeline.hset(key, field.getBytes(UTF_8), value)));
            pipeline.expire(key, TIME_TO_LIVE_SECONDS);
            pipeline.sync();
        }
        List<JedisDataException> refusals =
                answers.stream().flatMap(answer -> refusal(answer).stream()).toList();
        if (!refusals.isEmpty()) {
            throw new JedisDataException(
                    "Redis refused %d of %d values for %s: %s"
                            .formatted(
                                    refusals.size(),
                                    answers.size(),
                                    new String(key, UTF_8),
                                    refusals.getFirst().getMessage()),
                    refusals.getFirst());
        }
    }

    private static Optional<JedisDataException> refusal(Response<?> answer) {
        try {
            answer.get();
            return Optional.empty();
        } catch (JedisDataException e) {
            return Optional.of(e);
        }
    }

    private Map<String, Long> lengths(byte[] key) {
        Map<String, Response<Long>> answers = new HashMap<>();
        List<String> fields = fields(key);
        try (Pipeline pipeline = client.pipelined()) {
            fields.forEach(field -> answers.put(field, pipeline.hstrlen(key, field.getBytes(UTF_8))));
            pipeline.sync();
        }
        Map<String, Long> lengths = new HashMap<>();
        answers.forEach((field, answer) -> lengths.put(field, answer.get()));
        return lengths;
    }

    /** The fields of all chunks except the newest ones that together have this many bytes. */
    static List<String> excess(Map<String, Long> lengths, long maxBytes) {
        NavigableMap<Long, List<String>> newest = new TreeMap<>(Comparator.reverseOrder());
        lengths.keySet()
                .forEach(field -> newest.computeIfAbsent(number(field), number -> new ArrayList<>())
                        .add(field));
        List<String> excess = new ArrayList<>();
        long bytes = 0;
        for (List<String> chunk : newest.values()) {
            for (String field : chunk) {
                bytes += lengths.get(field);
            }
            if (bytes > maxBytes) {
                excess.addAll(chunk);
            }
        }
        return excess;
    }

    private List<String> fields(byte[] key) {
        return client.hkeys(key).stream().map(field -> new String(field, UTF_8)).toList();
    }

    private void remove(byte[] key, List<String> fields) {
        if (!fields.isEmpty()) {
            client.hdel(key, fields.stream().map(field -> field.getBytes(UTF_8)).toArray(byte[][]::new));
        }
    }

    /** Registers that queries filter on columns of a tenant's rows. */
    @Override
    public void ask(String stream, String tenantId) {
        try (Pipeline pipeline = client.pipelined()) {
            pipeline.zadd(ASKED_KEY_PREFIX + stream, (double) Instant.now().getEpochSecond(), tenantId);
            pipeline.zremrangeByRank(ASKED_KEY_PREFIX + stream, 0, -MAX_ASKED - 1);
            pipeline.sync();
        }
    }

    /** Tenants whose columns queries have filtered on since that time. */
    @Override
    public Set<String> asked(String stream, Instant since) {
        return Set.copyOf(client.zrange(
                ASKED_KEY_PREFIX + stream,
                ZRangeParams.zrangeByScoreParams((double) since.getEpochSecond(), Double.POSITIVE_INFINITY)));
    }

    /** Removes statistics of chunks that lie completely below an offset. */
    @Override
    public void trim(String stream, PartitionId partition, long below) {
        trim(key(stream, partition), below);
    }

    /** Removes columns of chunks that lie completely below an offset. */
    @Override
    public void trimColumns(String stream, PartitionId partition, long below) {
        trim(columnsKey(stream, partition), below);
    }

    private void trim(byte[] key, long below) {
        remove(
                key,
                fields(key).stream()
                        .filter(field -> number(field) < ChunkStatistics.number(below))
                        .toList());
    }

    /** The stored chunks, by partition and number, in one round trip. */
    @Override
    public Map<PartitionEpoch, List<ChunkStatistics>> get(String stream, Map<PartitionEpoch, List<Long>> numbers) {
        return get(
                numbers,
                partition -> key(stream, partition),
                (number, leaderEpoch) -> field(number, leaderEpoch),
                (partition, bytes) -> ChunkStatisticsFormat.decode(bytes)
                        .filter(chunk -> chunk.span().partition() == partition.partition()));
    }

    /** The stored columns of a tenant in chunks, by partition and number, in one round trip. */
    @Override
    public Map<PartitionEpoch, List<TenantColumns>> getColumns(
            String stream, String tenantId, Map<PartitionEpoch, List<Long>> numbers) {
        return get(
                numbers,
                partition -> columnsKey(stream, partition),
                (number, leaderEpoch) -> field(number, leaderEpoch, tenantId),
                (partition, bytes) -> TenantColumnsFormat.decode(bytes)
                        .filter(columns -> columns.span().partition() == partition.partition()
                                && columns.tenantId().equals(tenantId)));
    }

    /** The field of a chunk. */
    private interface Field {
        String of(long number, int leaderEpoch);
    }

    private <T> Map<PartitionEpoch, List<T>> get(
            Map<PartitionEpoch, List<Long>> numbers,
            Function<PartitionId, byte[]> key,
            Field field,
            BiFunction<PartitionId, byte[], Optional<T>> decode) {
        Map<PartitionEpoch, Response<List<byte[]>>> answers = new HashMap<>();
        try (Pipeline pipeline = client.pipelined()) {
            numbers.forEach((partition, requested) -> answers.put(
                    partition,
                    pipeline.hmget(
                            key.apply(partition.partition()),
                            requested.stream()
                                    .map(number -> field.of(number, partition.leaderEpoch())
                                            .getBytes(UTF_8))
                                    .toArray(byte[][]::new))));
            pipeline.sync();
        }
        Map<PartitionEpoch, List<T>> found = new HashMap<>();
        answers.forEach((partition, answer) -> found.put(
                partition,
                answer.get().stream()
                        .filter(Objects::nonNull)
                        .flatMap(bytes -> decode.apply(partition.partition(), bytes).stream())
                        .toList()));
        return found;
    }

    @Override
    public void close() {
        client.close();
    }
}
