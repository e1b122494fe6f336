package io.cordwood.systemtests.hot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.stack.FlushRequests;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Rows for queries with conditions on columns. Four rows share a {@code trace}, each row has a unique token in
 * {@code message}, and {@code latency} is below 1,000 except for one row in a hundred thousand. Times advance by a
 * millisecond per row, in all partitions in parallel. For one thread.
 */
final class HotRows implements AutoCloseable {
    /** Time limit for the ingest job to notice that a tenant is queried. */
    static final Duration NOTICE = Duration.ofSeconds(7);

    private static final Duration ARCHIVING = Duration.ofMinutes(3);

    static final long OUTLIER = 1_000_000;

    private static final int OUTLIERS = 100_000;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;
    private static final long FIRST_MILLIS =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final Lab lab;
    private final KafkaProducer<byte[], byte[]> producer;

    HotRows(Lab lab) {
        this.lab = lab;
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.kafka(), "compression.type", "lz4", "linger.ms", 20),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    static String trace(int row) {
        return Long.toHexString((row / 4 + 1) * SCATTER);
    }

    static String token(int row) {
        return Long.toHexString((row + 1) * Long.rotateLeft(SCATTER, 32));
    }

    void send(String tenant, int row) {
        byte[] json =
                "{\"ts\":%d,\"latency\":%d,\"level\":\"INFO\",\"trace\":\"%s\",\"message\":\"request %s was served from the cache of node %d\"}"
                        .formatted(
                                FIRST_MILLIS + row,
                                row % OUTLIERS == OUTLIERS / 2 ? OUTLIER : row % 1000,
                                trace(row),
                                token(row),
                                row % 50)
                        .getBytes(UTF_8);
        var _ = producer.send(new ProducerRecord<>(Lab.STREAM, row % Lab.PARTITIONS, tenant.getBytes(UTF_8), json));
    }

    /** Waits until Kafka has acknowledged all. */
    void flush() {
        producer.flush();
    }

    /** Requests flushes of some tenants, and waits until all their rows are in LogBlocks. */
    void archive(Connection connection, Map<String, Integer> rows) throws Exception {
        String catalog = new ObjectMapper()
                .readTree(lab.home().resolve("endpoints.json").toFile())
                .get("catalog")
                .asText();
        FlushRequests.send(lab.kafka(), catalog, Lab.STREAM, rows.keySet());
        for (Map.Entry<String, Integer> tenant : rows.entrySet()) {
            String sql = "SELECT count(*) FROM cordwood.%s.%s WHERE \"$tier\" = 'cold'"
                    .formatted(tenant.getKey(), Lab.STREAM);
            Await.await(
                    ARCHIVING,
                    "rows of %s are in LogBlocks".formatted(tenant.getKey()),
                    () -> count(connection, sql) == tenant.getValue());
        }
    }

    private static long count(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
