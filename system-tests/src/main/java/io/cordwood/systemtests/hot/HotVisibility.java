package io.cordwood.systemtests.hot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.NotRecoveredException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures the time from Kafka's acknowledgement of a row to the end of the first query that returns it. Queries follow
 * one another without a pause, so it includes the time of a query. For one thread.
 */
final class HotVisibility {
    private static final String TENANT = "visible";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Lab lab;
    private final Report report;
    private long number;

    HotVisibility(Lab lab, Report report) {
        this.lab = lab;
        this.report = report;
    }

    /** Measures this number of rows. */
    void measure(String name, int rows) throws Exception {
        double[] millis = new double[rows];
        long queries = 0;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", lab.kafka()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                Connection connection = lab.connect()) {
            HotQueries asking = new HotQueries(connection);
            for (int row = 0; row < rows; row++) {
                long sent = number++;
                producer.send(new ProducerRecord<>(
                                Lab.STREAM,
                                TENANT.getBytes(UTF_8),
                                "{\"n\":%d}".formatted(sent).getBytes(UTF_8)))
                        .get();
                long acknowledged = System.nanoTime();
                do {
                    queries++;
                    if (System.nanoTime() - acknowledged > LIMIT.toNanos()) {
                        throw new NotRecoveredException(
                                "row %d is not visible %s after its acknowledgement".formatted(sent, LIMIT));
                    }
                } while (asking.rows("SELECT 1 FROM cordwood.%s.%s WHERE n = %d".formatted(TENANT, Lab.STREAM, sent))
                        == 0);
                millis[row] = (System.nanoTime() - acknowledged) / 1e6;
            }
        }
        Percentiles visible = Percentiles.of(millis);
        report.add(name, "visible_ms_median", visible.median(), "ms");
        report.add(name, "visible_ms_p99", visible.at(0.99), "ms");
        report.add(name, "queries_per_row", (double) queries / rows, "queries");
    }

    /** Waits until the tenant can be queried. */
    void warmUp(int rows) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.kafka()), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(Lab.STREAM, TENANT.getBytes(UTF_8), "{\"n\":-1}".getBytes(UTF_8)))
                    .get();
        }
        Await.await(LIMIT, "tenant %s can be queried".formatted(TENANT), () -> {
            try (Connection connection = lab.connect()) {
                HotQueries asking = new HotQueries(connection);
                String sql = "SELECT 1 FROM cordwood.%s.%s WHERE n = -1".formatted(TENANT, Lab.STREAM);
                boolean seen = asking.rows(sql) > 0;
                for (int row = 0; seen && row < rows; row++) {
                    asking.rows(sql);
                }
                return seen;
            }
        });
    }
}
