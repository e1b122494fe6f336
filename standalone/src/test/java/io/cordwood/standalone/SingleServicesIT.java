package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.services.FreePort;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.deploy.ComposeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The services as containers run them: each from what {@code bin/internal/install} puts into its image, by the image's
 * entry command, with the environment of {@code docker/compose.yaml} and {@code docker/compose.open.yaml}, and asked by
 * the image's health check.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SingleServicesIT {
    private static final long STOP_SECONDS = 30;

    private final Path root = Program.root();
    private final Map<String, Process> processes = new ConcurrentHashMap<>();
    private final Map<String, Integer> ports = new HashMap<>();
    private final List<Service> services = new ArrayList<>();
    private ComposeFile compose;
    private Map<String, String> addresses;
    private Service kafka;
    private String database;
    private Path directory;

    @BeforeAll
    void startOthers(@TempDir Path temporary) throws Exception {
        directory = temporary;
        // A run that is ended early leaves nothing running.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> processes.values().forEach(Process::destroyForcibly), "end services"));
        compose = ComposeFile.read(root).open(root);
        kafka = add(TestServices.kafka());
        Service redis = add(TestServices.redis());
        database = add(TestServices.postgresql()).url();
        Service store = add(TestServices.objectStore());
        for (String name : List.of("catalog", "flink", "compaction", "balancer", "trino", "search", "gateway")) {
            ports.put(name, FreePort.choose());
        }
        // What the names of the other containers stand for
        addresses = Map.of(
                "broker:9092", kafka.url(),
                "redis://redis:6379", redis.url(),
                "http://s3:7070", store.url(),
                "http://catalog:8181", "http://127.0.0.1:" + ports.get("catalog"),
                "http://flink:8081", "http://127.0.0.1:" + ports.get("flink"));
    }

    private Service add(Service service) {
        services.add(service);
        return service;
    }

    @AfterAll
    void stopAll() throws Exception {
        for (Process process : processes.values()) {
            process.destroy();
        }
        for (Process process : processes.values()) {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        for (Service service : services) {
            service.close();
        }
    }

    @Test
    void servicesFindEachOtherAndAnswerTheirHealthChecks() throws Exception {
        start("catalog");
        awaitHealthy("catalog");
        start("trino");
        start("flink");
        awaitHealthy("flink");
        start("compaction");
        start("balancer");
        start("search");
        start("gateway");
        for (String name : List.of("trino", "compaction", "balancer", "search", "gateway")) {
            awaitHealthy(name);
        }

        send("{\"message\": \"from a container\"}");
        Waiting.until("the row is in Kafka's part of the table", () -> count("") == 1);
        Waiting.until("the row is in the warehouse", () -> count(" WHERE \"$tier\" = 'cold'") == 1);
    }

    @Test
    void whatIsMissingIsSaidInOneLine() throws Exception {
        Path home = directory.resolve("missing");
        Process process = entry("catalog", Map.of("CORDWOOD_HOME", home.toString()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(error)
                .isEqualTo("cordwood service: --catalog-db is needed (or CORDWOOD_CATALOG_DB in the environment)\n");
    }

    private void start(String name) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(S3Account.environment());
        compose.environment(name).forEach((variable, value) -> {
            if (variable.startsWith("CORDWOOD_")) {
                environment.put(variable, addresses.getOrDefault(value, value));
            }
        });
        // What tells processes of one machine apart. An image listens on all addresses.
        environment.put("CORDWOOD_BIND", "127.0.0.1");
        environment.put("CORDWOOD_HOME", directory.resolve("home-" + name).toString());
        environment.put("CORDWOOD_PORT", Integer.toString(ports.get(name)));
        environment.put("CORDWOOD_METRICS_PORT", Integer.toString(FreePort.choose()));
        environment.put("CORDWOOD_MAX_AGE", "3");
        if (name.equals("catalog")) {
            // Its entry command reads it from a file
            environment.put("CORDWOOD_CATALOG_DB", database);
        }
        environment.put("CORDWOOD_WAREHOUSE", "s3://%s/warehouse".formatted(S3Account.BUCKET));
        processes.put(
                name,
                entry(name, environment)
                        .redirectErrorStream(true)
                        .redirectOutput(log(name).toFile())
                        .start());
    }

    /** The entry point of the image, with the command that compose gives it. */
    private ProcessBuilder entry(String name, Map<String, String> environment)
            throws IOException, InterruptedException {
        String image = name.equals("compaction") ? "flink" : name;
        Path installed = directory.resolve(image);
        if (!Files.exists(installed)) {
            ProcessBuilder install =
                    new ProcessBuilder(root.resolve("bin/internal/install").toString(), image, installed.toString());
            install.environment().put("JAVA_HOME", System.getProperty("java.home"));
            install.environment().put("CORDWOOD_BUILD", "never");
            assertThat(install.inheritIO().start().waitFor()).isZero();
        }
        JsonNode command = compose.services().get(name).path("command");
        ProcessBuilder entry = new ProcessBuilder(
                installed.resolve("bin/cordwood").toString(),
                "service",
                command.isMissingNode() ? name : command.path(0).asText());
        entry.environment().keySet().removeIf(variable -> variable.startsWith("CORDWOOD_"));
        entry.environment().put("JAVA_HOME", System.getProperty("java.home"));
        entry.environment().putAll(environment);
        return entry;
    }

    private void awaitHealthy(String name) throws IOException, InterruptedException {
        JsonNode test = compose.services().get(name).path("healthcheck").path("test");
        List<String> check = List.of(
                root.resolve("docker/healthy").toString(),
                Integer.toString(ports.get(name)),
                test.path(3).asText(),
                test.path(4).asText());
        Waiting.until(name + " is healthy", () -> {
            if (!processes.get(name).isAlive()) {
                throw new IllegalStateException(name + " has ended: " + Files.readString(log(name)));
            }
            return new ProcessBuilder(check)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        });
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private void send(String value) throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", kafka.url());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            "logs", "acme".getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    /** Rows of the table, as far as there is one. */
    private long count(String condition) {
        try (Connection trino =
                        DriverManager.getConnection("jdbc:trino://127.0.0.1:" + ports.get("trino"), "test", null);
                Statement statement = trino.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM cordwood.acme.logs" + condition)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            // A table begins with its first row
            assertThat(e.getMessage()).contains("does not exist");
            return 0;
        }
    }
}
