package io.cordwood.systemtests.hot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Measures the savings by hot-chunk statistics while many rows of a neighbour are hot. For one thread. */
final class HotPruning {
    private static final String SMALL = "small";
    private static final String NEIGHBOUR = "neighbour";
    private static final int SMALL_ROWS = 50;
    private static final int ROW_BYTES = 500;
    private static final long FIRST_MILLIS =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Lab lab;
    private final Report report;
    private final long bytes;
    private final int runs;

    /**
     * @param bytes size of the neighbour's rows in bytes
     * @param runs measured runs per query
     */
    HotPruning(Lab lab, Report report, long bytes, int runs) {
        this.lab = lab;
        this.report = report;
        this.bytes = bytes;
        this.runs = runs;
    }

    /** @param withRange whether to query a time range of the neighbour too, not just the needle */
    void measure(boolean withRange) throws Exception {
        int rows = (int) (bytes / ROW_BYTES);
        String needle =
                "SELECT ts, message FROM cordwood.%s.%s WHERE match(message, 'needle7')".formatted(SMALL, Lab.STREAM);
        String range =
                "SELECT count(*), sum(latency) FROM cordwood.%s.%s WHERE ts >= TIMESTAMP '%s UTC' AND ts < TIMESTAMP '%s UTC'"
                        .formatted(NEIGHBOUR, Lab.STREAM, time(rows / 2), time(rows / 2 + rows / 100));
        try (KafkaProducer<byte[], byte[]> producer = producer();
                Connection connection = lab.connect()) {
            HotQueries asking = new HotQueries(connection);
            for (int row = 0; row < SMALL_ROWS; row++) {
                send(producer, SMALL, row, "needle" + row);
            }
            producer.flush();
            Await.await(TIMEOUT, "tenant small can be queried", () -> asking.rows(needle) == 1);
            double alone = asking.medianMillis(needle, runs);
            report.add("small_tenant/alone", "median_ms", alone, "ms");
            sendNeighbour(producer, rows);
            awaitStatistics(asking);
            double beside = asking.medianMillis(needle, runs);
            report.add("small_tenant/beside_neighbour", "median_ms", beside, "ms");
            report.add("small_tenant/beside_neighbour", "latency_ratio", beside / alone, "beside over alone");
            // Cached rows would not be read again
            asking.set("use_cache", "false");
            HotComparison comparison = new HotComparison(asking, report, runs);
            comparison.compare("needle", needle);
            if (withRange) {
                comparison.compare("time_range", range);
            }
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.kafka(), "compression.type", "lz4", "linger.ms", 20),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static void sendNeighbour(KafkaProducer<byte[], byte[]> producer, int rows) {
        String filling = "connection reset by peer ".repeat(16);
        for (int row = 0; row < rows; row++) {
            send(producer, NEIGHBOUR, row, filling);
        }
        producer.flush();
    }

    /** Times advance by a millisecond per row, in all partitions in parallel. */
    private static void send(KafkaProducer<byte[], byte[]> producer, String tenant, int row, String message) {
        byte[] json = "{\"ts\":%d,\"latency\":%d,\"message\":\"%s %d\"}"
                .formatted(FIRST_MILLIS + row, row % 1000, message, row)
                .getBytes(UTF_8);
        var _ = producer.send(new ProducerRecord<>(Lab.STREAM, row % Lab.PARTITIONS, tenant.getBytes(UTF_8), json));
    }

    private static String time(int row) {
        return Instant.ofEpochMilli(FIRST_MILLIS)
                .plus(row, ChronoUnit.MILLIS)
                .toString()
                .replace('T', ' ')
                .replace("Z", "");
    }

    /** Does not wait for statistics of a partition's last chunk, which still grows. */
    private void awaitStatistics(HotQueries asking) throws Exception {
        String sql = "SELECT count(*) FROM cordwood.%s.%s".formatted(SMALL, Lab.STREAM);
        Await.await(TIMEOUT, "statistics of all chunks but the last of each partition are known", () -> {
            Map<String, Long> metrics = asking.metrics(sql);
            return metrics.getOrDefault("hot chunks considered", 0L) > Lab.PARTITIONS
                    && metrics.getOrDefault("hot chunks unknown", Long.MAX_VALUE) <= Lab.PARTITIONS;
        });
    }
}
