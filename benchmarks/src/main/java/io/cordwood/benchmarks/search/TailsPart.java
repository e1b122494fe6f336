package io.cordwood.benchmarks.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Pace;
import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Live tails: how soon a row is visible after Kafka acknowledged it, many rows to one client, and many clients at once.
 * A row that neither comes nor is told as dropped is lost. Not thread-safe.
 */
final class TailsPart {
    private static final String TENANT = "tailed";
    private static final int FIRST_RATE = 10;
    private static final int VISIBLE_RATE = 100;
    private static final int MANY_ROWS_RATE = 10_000;
    private static final int MANY_TAILS = 1_000;
    private static final int MANY_TAILS_RATE = 20;
    private static final Duration FIRST_TIME = Duration.ofSeconds(3);
    private static final Duration QUICK_TIME = Duration.ofSeconds(2);
    private static final Duration TIME = Duration.ofSeconds(20);
    private static final Duration MAX_DELAY = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;
    private static final double P99 = 0.99;

    private final RunningStack stack;
    private final Report report;
    private final Phases phases;
    private final Duration time;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    TailsPart(RunningStack stack, Report report, Phases phases, boolean isQuick) {
        this.stack = stack;
        this.report = report;
        this.phases = phases;
        this.time = isQuick ? QUICK_TIME : TIME;
    }

    void run() throws IOException, InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", stack.awaitKafka(), "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            // The tenant exists from its first row on
            send(producer, -1).get();
            phases.begin("tails: the first of the process");
            measure("tail/first", producer, 1, FIRST_RATE, FIRST_TIME);
            phases.begin("tails: visibility");
            measure("tail/visible", producer, 1, VISIBLE_RATE, time);
            phases.begin("tails: many rows");
            measure("tail/many_rows", producer, 1, MANY_ROWS_RATE, time);
            phases.begin("tails: many clients");
            measure("tail/many_clients", producer, MANY_TAILS, MANY_TAILS_RATE, time);
        } catch (ExecutionException e) {
            throw new IOException("a row was not acknowledged: " + e.getCause(), e);
        } finally {
            client.close();
        }
    }

    private static Future<?> send(KafkaProducer<byte[], byte[]> producer, long number) {
        return producer.send(record(number));
    }

    private static ProducerRecord<byte[], byte[]> record(long number) {
        return new ProducerRecord<>(
                TenantLogBlocks.STREAM,
                TENANT.getBytes(UTF_8),
                "{\"n\":\"%d\",\"log\":\"a line of an application, as long as most are: request %d done\"}"
                        .formatted(number, number)
                        .getBytes(UTF_8));
    }

    private void measure(String name, KafkaProducer<byte[], byte[]> producer, int tails, int rate, Duration duration)
            throws IOException, InterruptedException, ExecutionException {
        int most = (int) (rate * duration.toSeconds()) + rate;
        AtomicLongArray acknowledged = new AtomicLongArray(most);
        AtomicLongArray received = new AtomicLongArray(most);
        List<FollowedTail> following = new ArrayList<>();
        try {
            for (int i = 0; i < tails; i++) {
                // The last one measures, since the others come before it
                following.add(FollowedTail.open(
                        client,
                        stack.search(),
                        TENANT,
                        TenantLogBlocks.STREAM,
                        number -> received.set((int) number, System.nanoTime())));
            }
            Pace pace = new Pace(rate, duration);
            List<Future<?>> sent = new ArrayList<>();
            while (sent.size() < most && pace.next()) {
                int number = sent.size();
                sent.add(producer.send(
                        record(number), (metadata, failure) -> acknowledged.set(number, System.nanoTime())));
            }
            for (Future<?> row : sent) {
                row.get();
            }
            awaitRows(following, sent.size());
            report(name, following, sent.size(), acknowledged, received);
        } finally {
            for (FollowedTail tail : following) {
                tail.close();
            }
        }
    }

    private static void awaitRows(List<FollowedTail> tails, int sent) throws InterruptedException {
        long deadline = System.nanoTime() + MAX_DELAY.toNanos();
        while (System.nanoTime() < deadline && tails.stream().anyMatch(tail -> tail.rows() + tail.dropped() < sent)) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** The delay is that of the client that gets a row last. */
    private void report(
            String name, List<FollowedTail> tails, int sent, AtomicLongArray acknowledged, AtomicLongArray received) {
        List<Double> delays = new ArrayList<>();
        for (int row = 0; row < sent; row++) {
            if (received.get(row) != 0) {
                delays.add((received.get(row) - acknowledged.get(row)) / 1e6);
            }
        }
        long rows = tails.stream().mapToLong(FollowedTail::rows).sum();
        long dropped = tails.stream().mapToLong(FollowedTail::dropped).sum();
        report.add(name, "rows_sent", sent, "rows");
        report.add(name, "rows_received", (double) rows / tails.size(), "rows");
        report.add(name, "rows_dropped", (double) dropped / tails.size(), "rows");
        report.add(name, "rows_lost", (double) ((long) sent * tails.size() - rows - dropped), "rows");
        report.add(name, "delay_median", Percentiles.of(delays).median(), "ms");
        report.add(name, "delay_p99", Percentiles.of(delays).at(P99), "ms");
    }
}
