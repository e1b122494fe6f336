package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.StackFacts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process: how it ends. What it prints is the matter of {@code TailIT}. */
final class TailCommandIT {
    @TempDir
    private static Path directory;

    private static Service kafka;
    private static CatalogServer catalog;
    private static Admin admin;
    private static KafkaProducer<String, String> producer;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        catalog = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
        Home home = new Home(directory);
        home.create();
        new Endpoints(kafka.address(), "", catalog.uri().toString(), "", "", "", "", "", "", "", "", "", "")
                .write(home);
        StackFacts.of(List.of("logs"), Optional.empty(), Optional.of("acme"), Map.of())
                .write(home);
        admin = Admin.create(Map.of("bootstrap.servers", kafka.address()));
        create("logs", 1);
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.address()), new StringSerializer(), new StringSerializer());
    }

    private static void create(String topic, int partitions) throws Exception {
        KafkaTopics.create(admin, new NewTopic(topic, partitions, (short) 1));
    }

    @AfterAll
    static void stop() throws Exception {
        producer.close();
        admin.close();
        catalog.close();
        kafka.close();
    }

    @Test
    void interruptEndsItWithWholeLinesAndCodeZero() throws Exception {
        send("{\"ts\":1700000000,\"level\":\"INFO\",\"message\":\"first\",\"n\":1}");
        Process tail = new Program(directory).start("tail", "--tenant", "acme", "--since", "1d", "--match", "first");
        try (BufferedReader out = tail.inputReader(StandardCharsets.UTF_8)) {
            // Of the stack's default tenant, since the record names none
            assertThat(out.readLine()).isEqualTo("2023-11-14T22:13:20.000000Z INFO first n=1");
            assertThat(new ProcessBuilder("kill", endingSignal(), Long.toString(tail.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(out.readLine()).isNull();
            assertThat(tail.waitFor()).isZero();
            assertThat(tail.errorReader().readLine()).isNull();
        }
    }

    /** Rows go on coming when it is told to end: it ends with a whole line, and what it printed has no gap. */
    @Test
    void followsRowsThatKeepComingWithoutLoss() throws Exception {
        create("busy", SteadyRows.PARTITIONS);
        try (CatalogClient client = CatalogClient.connect(catalog.uri(), Map.of())) {
            client.ensureTable("acme", "busy", List.of(ColumnDefinition.of("n", ColumnType.BIGINT)));
        }
        Process tail =
                new Program(directory).start("tail", "--tenant", "acme", "--stream", "busy", "--since", "1d", "--json");
        int rows = 5 * SteadyRows.PER_SECOND;
        PrintedNumbers printed = new PrintedNumbers(tail.inputReader(StandardCharsets.UTF_8));
        try (SteadyRows _ = new SteadyRows(kafka.address(), "busy")) {
            printed.await(rows);
            assertThat(new ProcessBuilder("kill", endingSignal(), Long.toString(tail.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            printed.awaitEnd();
            assertThat(tail.waitFor()).isZero();
            assertThat(tail.errorReader().readLine()).isNull();
            assertThat(printed.others()).isEmpty();
            for (int partition = 0; partition < SteadyRows.PARTITIONS; partition++) {
                List<Integer> numbers = printed.numbers(partition);
                int first = partition;
                assertThat(numbers)
                        .as("numbers from partition %d, in their order", partition)
                        .isEqualTo(IntStream.range(0, numbers.size())
                                .map(i -> first + i * SteadyRows.PARTITIONS)
                                .boxed()
                                .toList());
            }
        } finally {
            tail.destroyForcibly();
        }
    }

    @Test
    void aClosedPipeEndsItQuietly() throws Exception {
        Process tail = new Program(directory).start("tail", "--tenant", "acme", "--since", "1d", "--json");
        try (BufferedReader out = tail.inputReader(StandardCharsets.UTF_8)) {
            send("{\"message\":\"read\"}");
            assertThat(out.readLine()).startsWith("{\"ts\":");
        }
        do {
            send("{\"message\":\"nobody reads this\"}");
        } while (!tail.waitFor(50, TimeUnit.MILLISECONDS));
        assertThat(tail.exitValue()).isZero();
        assertThat(tail.errorReader().readLine()).isNull();
    }

    /** ^C. Where a shell started the tests in the background they ignore it, and so does what they start. */
    private static String endingSignal() throws IOException {
        int interrupt = 2;
        Path status = Path.of("/proc/self/status");
        String ignored = (Files.exists(status) ? Files.readAllLines(status) : List.<String>of())
                .stream().filter(line -> line.startsWith("SigIgn:")).findFirst().orElse("SigIgn: 0");
        long mask = Long.parseUnsignedLong(
                ignored.substring(ignored.indexOf(':') + 1).strip(), 16);
        return (mask & (1L << (interrupt - 1))) == 0 ? "-INT" : "-TERM";
    }

    private static void send(String value) throws Exception {
        producer.send(new ProducerRecord<>("logs", value)).get();
    }
}
