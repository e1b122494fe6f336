package io.cordwood.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.services.Bombs;
import io.cordwood.services.Bombs.Zeros;
import io.cordwood.systemtests.lab.Await;
import io.cordwood.systemtests.lab.Component;
import io.cordwood.systemtests.lab.Lab;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how long users notice that a component died, or that a record unpacks to 1.5 GB: the time until a query
 * answers again, until a new row can be queried, and until it is archived.
 */
@Command(
        name = "recovery",
        description = "Kills each component, and sends records that unpack to 1.5 GB: how long until queries answer,"
                + " a new row is visible, a new row is archived?",
        mixinStandardHelpOptions = true)
public final class RecoveryBench implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int MAX_AGE_SECONDS = 4;

    @Option(names = "--quick", description = "Only one kill of the job's process: ends within a minute.")
    private boolean quick;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "5",
            description = "Kills and bombs of each kind (default: 5).")
    private int kills;

    /** A part of the run. */
    enum Part {
        KILLS,
        BOMBS
    }

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description = "Only these: ${COMPLETION-CANDIDATES} (default: all; with --quick only KILLS).")
    private List<Part> parts = List.of();

    /** A query of SQL does not need the search service. */
    private static final List<Component> ASKED_BY_SQL = List.copyOf(EnumSet.complementOf(EnumSet.of(Component.SEARCH)));

    private final Report report = new Report("recovery", System.out);
    private long number;

    @Override
    public Integer call() throws Exception {
        if (parts.isEmpty()) {
            parts = quick ? List.of(Part.KILLS) : List.of(Part.values());
        }
        Path root = Path.of(System.getProperty("cordwood.root", ".")).toAbsolutePath();
        try (Scratch scratch = Scratch.create();
                Lab lab = Lab.start(root, scratch, MAX_AGE_SECONDS, Map.of());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", lab.kafka(), "delivery.timeout.ms", 180_000),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            if (parts.contains(Part.KILLS)) {
                measureKills(lab, producer);
            }
            if (parts.contains(Part.BOMBS)) {
                measureBombs(lab, producer);
            }
        }
        report.printTable();
        return 0;
    }

    private void measureKills(Lab lab, KafkaProducer<byte[], byte[]> producer) throws Exception {
        List<Double> undisturbed = new ArrayList<>();
        for (int i = 0; i < (quick ? 1 : kills + 1); i++) {
            double seconds = secondsUntilSeen(lab, producer);
            if (i > 0 || quick) { // The first row creates the table.
                undisturbed.add(seconds);
            }
        }
        add("undisturbed", "new_row_seen_seconds_median", undisturbed);
        for (Component component : quick ? List.of(Component.FLINK) : ASKED_BY_SQL) {
            List<Double> answers = new ArrayList<>();
            List<Double> seen = new ArrayList<>();
            for (int i = 0; i < (quick ? 1 : kills); i++) {
                Await.await(TIMEOUT, component + " is ready", () -> lab.isReady(component));
                lab.kill(component);
                long killed = System.nanoTime();
                answers.add(secondsUntilAnswer(lab, killed));
                seen.add(secondsUntilSeen(lab, producer, killed));
            }
            add(component.toString(), "query_answers_seconds_median", answers);
            add(component.toString(), "new_row_seen_seconds_median", seen);
        }
    }

    /** Rows of a tenant that shares a partition with records of another that unpack to 1.5 GB. */
    private void measureBombs(Lab lab, KafkaProducer<byte[], byte[]> producer) throws Exception {
        secondsUntilSeen(lab, producer); // The first row creates the table.
        for (CompressionType compression :
                List.of(CompressionType.NONE, CompressionType.ZSTD, CompressionType.GZIP, CompressionType.LZ4)) {
            List<Double> seen = new ArrayList<>();
            List<Double> archived = new ArrayList<>();
            for (int i = 0; i < (quick ? 1 : kills); i++) {
                RecordMetadata before = send(producer);
                awaitArchived(lab, before);
                long sent = System.nanoTime();
                if (compression != CompressionType.NONE) {
                    Zeros zeros = Zeros.value("neighbour".getBytes(UTF_8), 1_500_000_000);
                    MemoryRecords bomb = Bombs.batch(compression, List.of(zeros));
                    sent = System.nanoTime();
                    Bombs.send(lab.kafka(), Lab.STREAM, before.partition(), bomb);
                }
                RecordMetadata after = send(producer);
                awaitLastSeen(lab);
                seen.add(secondsSince(sent));
                awaitArchived(lab, after);
                archived.add(secondsSince(sent));
            }
            String name = compression == CompressionType.NONE ? "without_bomb" : "bomb_" + compression.name;
            add(name, "new_row_seen_seconds_median", seen);
            add(name, "new_row_archived_seconds_median", archived);
            report.add(name, "new_row_archived_seconds_worst", archived.getLast(), "s");
        }
    }

    private static void awaitArchived(Lab lab, RecordMetadata row) throws Exception {
        Await.await(
                TIMEOUT,
                "a row is archived",
                () -> lab.archivedThrough().values().stream()
                        .anyMatch(offsets -> offsets.getOrDefault(row.partition(), 0L) > row.offset()));
    }

    private void add(String name, String metric, List<Double> seconds) {
        Collections.sort(seconds);
        report.add(name, metric, seconds.get(seconds.size() / 2), "s");
    }

    private double secondsUntilSeen(Lab lab, KafkaProducer<byte[], byte[]> producer) throws Exception {
        return secondsUntilSeen(lab, producer, System.nanoTime());
    }

    private double secondsUntilSeen(Lab lab, KafkaProducer<byte[], byte[]> producer, long sinceNanos) throws Exception {
        send(producer);
        awaitLastSeen(lab);
        return secondsSince(sinceNanos);
    }

    /** Sends the next row, and returns its place in Kafka. */
    private RecordMetadata send(KafkaProducer<byte[], byte[]> producer) throws Exception {
        byte[] row = "{\"n\":%d}".formatted(number++).getBytes(UTF_8);
        return producer.send(new ProducerRecord<>(Lab.STREAM, "t0".getBytes(UTF_8), row))
                .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Waits until a query returns the last row that was sent. */
    private void awaitLastSeen(Lab lab) throws Exception {
        await(lab, "SELECT 1 FROM cordwood.t0.%s WHERE n = %d".formatted(Lab.STREAM, number - 1));
    }

    private double secondsUntilAnswer(Lab lab, long sinceNanos) throws Exception {
        await(lab, "SELECT 1 FROM cordwood.t0.%s LIMIT 1".formatted(Lab.STREAM));
        return secondsSince(sinceNanos);
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /** Waits until the query returns a row. */
    private static void await(Lab lab, String sql) throws Exception {
        Await.await(TIMEOUT, sql, () -> {
            try (Connection connection = lab.connect();
                    Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                return result.next();
            }
        });
    }
}
