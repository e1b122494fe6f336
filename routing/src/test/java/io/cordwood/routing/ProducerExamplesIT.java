package io.cordwood.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The producers in {@code examples/} against a real Kafka and Redis: where their records go, and that all are there.
 */
@Timeout(300)
class ProducerExamplesIT {
    private static final String STREAM = "logs";
    private static final int PARTITIONS = 12;
    private static final int ROWS = 20_000;
    private static final String FILLER = "x".repeat(420);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path examples = Path.of("examples").toAbsolutePath();
    private final Path target = Path.of("target").toAbsolutePath();
    private Service kafka;
    private Service redis;
    private RoutingTableStore store;

    @BeforeEach
    void start() throws Exception {
        kafka = TestServices.kafka();
        redis = TestServices.redis();
        store = new RoutingTableStore(URI.create(redis.url()));
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.url()))) {
            KafkaTopics.create(admin, new NewTopic(STREAM, PARTITIONS, (short) 1));
        }
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
        redis.close();
        kafka.close();
    }

    /** Slow: it needs an environment with packages of its own. */
    @Test
    @Tag("slow")
    void producerInPythonFollowsTheTable() throws Exception {
        follows(List.of(python(), examples.resolve("producer.py").toString()));
    }

    /** Slow: the first build downloads and compiles the Kafka client. */
    @Test
    @Tag("slow")
    void producerInGoFollowsTheTable() throws Exception {
        assumeThat(onPath("go")).as("go is on PATH").isTrue();
        String program = target.resolve("producer-go").toString();
        run(examples.resolve("go"), "go", "build", "-o", program, ".");
        follows(List.of(program));
    }

    private void follows(List<String> command) throws Exception {
        Map<Integer, Double> first = Map.of(3, 0.6, 9, 0.3, 11, 0.1);
        Map<Integer, Double> second = Map.of(1, 0.5, 2, 0.5);
        store.write(table(1, first));
        try (Producer producer = new Producer(command, "routed");
                Records records = new Records()) {
            producer.send(0, ROWS / 2);
            List<ConsumerRecord<String, String>> before = records.next(ROWS / 2);
            assertShares(before, first);

            store.write(table(2, second));
            producer.awaitError("table 2 in use");
            producer.send(ROWS / 2, ROWS);
            assertThat(producer.end()).startsWith(ROWS + " records acknowledged");
            List<ConsumerRecord<String, String>> after = records.next(ROWS / 2);
            assertShares(after, second);
            assertNumbers(before, 0, ROWS / 2);
            assertNumbers(after, ROWS / 2, ROWS);
        }
        goesByHashWithoutARoute(command);
    }

    private void goesByHashWithoutARoute(List<String> command) throws Exception {
        try (Producer producer = new Producer(command, "without a route");
                Records records = new Records()) {
            records.next(ROWS);
            producer.send(0, 1_000);
            assertThat(producer.end()).startsWith("1000 records acknowledged");
            List<ConsumerRecord<String, String>> all = records.next(1_000);
            assertNumbers(all, 0, 1_000);
            assertThat(all)
                    .extracting(ConsumerRecord::partition)
                    .containsOnly(Utils.toPositive(Utils.murmur2("without a route".getBytes(UTF_8))) % PARTITIONS);
        }
    }

    private static RoutingTable table(long version, Map<Integer, Double> weights) {
        List<Route> routes = weights.entrySet().stream()
                .map(entry -> new Route(entry.getKey(), entry.getValue()))
                .toList();
        return new RoutingTable(version, STREAM, Map.of("routed", routes));
    }

    /** Each partition has its share of the rows, give or take a run of 64 KB and the records on the way. */
    private static void assertShares(List<ConsumerRecord<String, String>> records, Map<Integer, Double> weights) {
        Map<Integer, Long> counts =
                records.stream().collect(Collectors.groupingBy(ConsumerRecord::partition, Collectors.counting()));
        assertThat(counts.keySet()).isEqualTo(weights.keySet());
        weights.forEach((partition, weight) -> assertThat(counts.get(partition) / (double) records.size())
                .as("share of partition %s in %s", partition, counts)
                .isCloseTo(weight, within(0.05)));
    }

    private static void assertNumbers(List<ConsumerRecord<String, String>> records, int from, int to) {
        Pattern number = Pattern.compile("\"n\":(\\d+)");
        assertThat(records.stream().map(record -> {
                    var found = number.matcher(record.value());
                    assertThat(found.find()).as(record.value()).isTrue();
                    return Integer.parseInt(found.group(1));
                }))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(from, to).boxed().toList());
    }

    /** An interpreter that has what the example needs; made once. */
    private String python() throws Exception {
        Path environment = target.resolve("examples-python");
        Path requirements = examples.resolve("requirements.txt");
        Path installed = environment.resolve("installed.txt");
        String interpreter = environment.resolve("bin/python").toString();
        if (!Files.exists(installed) || Files.mismatch(installed, requirements) >= 0) {
            Files.deleteIfExists(installed);
            run(target, "python3", "-m", "venv", environment.toString());
            run(target, interpreter, "-m", "pip", "install", "--quiet", "-r", requirements.toString());
            Files.copy(requirements, installed);
        }
        return interpreter;
    }

    private static boolean onPath(String program) {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getenv("PATH"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static void run(Path directory, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), output)
                .isZero();
    }

    /** An example that runs and takes lines. */
    private final class Producer implements AutoCloseable {
        private final Process process;
        private final Writer lines;
        private final BlockingQueue<String> errors = new LinkedBlockingQueue<>();

        Producer(List<String> command, String tenant) throws IOException {
            List<String> arguments = new ArrayList<>(command);
            arguments.addAll(
                    List.of("--kafka", kafka.url(), "--redis", redis.url(), "--tenant", tenant, "--stream", STREAM));
            process = new ProcessBuilder(arguments).start();
            lines = process.outputWriter(UTF_8);
            new Thread(() -> process.errorReader(UTF_8).lines().forEach(errors::add)).start();
        }

        void send(int from, int to) throws IOException {
            for (int n = from; n < to; n++) {
                lines.write("{\"n\":%d,\"message\":\"%s\"}\n".formatted(n, FILLER));
            }
            lines.flush();
        }

        /** Waits for a line on standard error. */
        void awaitError(String expected) throws InterruptedException {
            String line;
            do {
                line = errors.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                assertThat(line).as("waiting for: " + expected).isNotNull();
            } while (!line.contains(expected));
        }

        /** Closes its input and waits for its end. @return what it printed */
        String end() throws Exception {
            lines.close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as("%s %s", output, errors).isZero();
            return output;
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** All records of the topic, from its start. */
    private final class Records implements AutoCloseable {
        private final KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.url()),
                new StringDeserializer(),
                new StringDeserializer());

        Records() {
            List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(STREAM, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
        }

        /** The next so many; fails if there are fewer, or more by then. */
        List<ConsumerRecord<String, String>> next(int count) {
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (records.size() < count && System.nanoTime() < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            assertThat(records).hasSize(count);
            return records;
        }

        @Override
        public void close() {
            consumer.close();
        }
    }
}
