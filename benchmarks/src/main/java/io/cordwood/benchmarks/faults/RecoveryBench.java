package io.cordwood.benchmarks.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.Report;
import io.cordwood.benchmarks.Scratch;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How long each component's death is felt: until a query answers again, until a row sent after it can be queried. */
@Command(
        name = "recovery",
        description = "Kills each component and measures until queries answer and until a new row is seen.",
        mixinStandardHelpOptions = true)
public final class RecoveryBench implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int MAX_AGE_SECONDS = 4;

    @Option(names = "--quick", description = "One kill of the job's process alone: ends within a minute.")
    private boolean quick;

    @Option(names = "--kills", paramLabel = "N", defaultValue = "5", description = "Kills of each (default: 5).")
    private int kills;

    private final Report report = new Report("recovery", System.out);
    private long number;

    @Override
    public Integer call() throws Exception {
        Path root = Path.of(System.getProperty("cordwood.root", ".")).toAbsolutePath();
        try (Scratch scratch = Scratch.create();
                Lab lab = Lab.start(root, scratch, MAX_AGE_SECONDS, Map.of());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", lab.kafka(), "delivery.timeout.ms", 180_000),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            measure(lab, producer);
        }
        report.printTable();
        return 0;
    }

    private void measure(Lab lab, KafkaProducer<byte[], byte[]> producer) throws Exception {
        List<Double> undisturbed = new ArrayList<>();
        for (int i = 0; i < (quick ? 1 : kills + 1); i++) {
            double seconds = secondsUntilSeen(lab, producer);
            if (i > 0 || quick) { // The first row makes the table.
                undisturbed.add(seconds);
            }
        }
        add("undisturbed", "new_row_seen_seconds_median", undisturbed);
        for (Component component : quick ? List.of(Component.FLINK) : List.of(Component.values())) {
            List<Double> answers = new ArrayList<>();
            List<Double> seen = new ArrayList<>();
            for (int i = 0; i < (quick ? 1 : kills); i++) {
                Patience.await(PATIENCE, component + " is ready", () -> lab.isReady(component));
                lab.kill(component);
                long killed = System.nanoTime();
                answers.add(secondsUntilAnswer(lab, killed));
                seen.add(secondsUntilSeen(lab, producer, killed));
            }
            add(component.toString(), "query_answers_seconds_median", answers);
            add(component.toString(), "new_row_seen_seconds_median", seen);
        }
    }

    private void add(String name, String metric, List<Double> seconds) {
        Collections.sort(seconds);
        report.add(name, metric, seconds.get(seconds.size() / 2), "s");
    }

    private double secondsUntilSeen(Lab lab, KafkaProducer<byte[], byte[]> producer) throws Exception {
        return secondsUntilSeen(lab, producer, System.nanoTime());
    }

    private double secondsUntilSeen(Lab lab, KafkaProducer<byte[], byte[]> producer, long sinceNanos) throws Exception {
        long sent = number++;
        producer.send(new ProducerRecord<>(
                        Lab.STREAM,
                        "t0".getBytes(UTF_8),
                        "{\"n\":%d}".formatted(sent).getBytes(UTF_8)))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        await(lab, "SELECT 1 FROM cordwood.t0.%s WHERE n = %d".formatted(Lab.STREAM, sent));
        return secondsSince(sinceNanos);
    }

    private double secondsUntilAnswer(Lab lab, long sinceNanos) throws Exception {
        await(lab, "SELECT 1 FROM cordwood.t0.%s LIMIT 1".formatted(Lab.STREAM));
        return secondsSince(sinceNanos);
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /** Waits until the query has a row. */
    private static void await(Lab lab, String sql) throws Exception {
        Patience.await(PATIENCE, sql, () -> {
            try (Connection connection = lab.connect();
                    Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(sql)) {
                return result.next();
            }
        });
    }
}
