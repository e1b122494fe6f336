package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.FreePort;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of single services: a JobManager with two TaskManagers, and a coordinator with two workers of Trino, all of
 * them processes on addresses of their own, as far as the system has several on loopback.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SmallClusterIT {
    private static final long STOP_SECONDS = 30;
    private static final int PARTITIONS = 8;
    private static final int ROWS = 20_000;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, Process> processes = Collections.synchronizedMap(new TreeMap<>());
    private final List<Service> services = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>(S3Account.environment());
    private final String flink = "http://127.0.0.1:" + FreePort.choose();
    private final String trino = "127.0.0.1:" + FreePort.choose();
    private Service kafka;
    private Path directory;
    private int shipped;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        // A run that is ended early leaves nothing running.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> processes.values().forEach(Process::destroyForcibly), "end services"));
        kafka = add(TestServices.kafka());
        Service redis = add(TestServices.redis());
        Service store = add(TestServices.objectStore());
        String catalog = "http://127.0.0.1:" + FreePort.choose();
        environment.putAll(Map.of(
                "CORDWOOD_KAFKA",
                kafka.url(),
                "CORDWOOD_REDIS",
                redis.url(),
                "CORDWOOD_CATALOG",
                catalog,
                "CORDWOOD_WAREHOUSE",
                "s3://%s/warehouse".formatted(S3Account.BUCKET),
                "CORDWOOD_S3_ENDPOINT",
                store.url(),
                "CORDWOOD_S3_PATH_STYLE",
                "true",
                "CORDWOOD_MAX_AGE",
                "3",
                "CORDWOOD_PARTITIONS",
                Integer.toString(PARTITIONS),
                "CORDWOOD_JOBMANAGER",
                "127.0.0.1:" + FreePort.choose(),
                "CORDWOOD_COORDINATOR",
                "http://" + trino));

        Path database = directory.resolve("catalog.db");
        launch(
                "catalog",
                "catalog",
                Map.of(
                        "CORDWOOD_PORT",
                        port(catalog),
                        "CORDWOOD_CATALOG_DB",
                        "jdbc:sqlite:" + database,
                        "CORDWOOD_CATALOG",
                        ""));
        await("the catalog answers", () -> answers(catalog + "/health"));
        launch("flink", "flink", Map.of("CORDWOOD_PORT", port(flink), "CORDWOOD_PARALLELISM", "2"));
        launch("trino", "trino", Map.of("CORDWOOD_PORT", port("http://" + trino)));
        for (int number : List.of(1, 2)) {
            launchTaskManager(number);
            launchWorker(number);
        }
        await("two workers are known", () -> workers().size() == 2);
        await("the job runs in two TaskManagers", () -> builders().size() == 2);
    }

    private Service add(Service service) {
        services.add(service);
        return service;
    }

    @AfterAll
    void stop() throws Exception {
        processes.values().forEach(Process::destroy);
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
    @Order(1)
    void bothTaskManagersBuildLogBlocks() throws Exception {
        for (int round = 0; round < 3; round++) {
            ship();
            awaitArchived();
        }
        await("both TaskManagers have had records", () -> {
            Map<String, Long> records = recordsBuilt();
            return records.size() == 2 && !records.containsValue(0L);
        });
    }

    @Test
    @Order(2)
    void bothWorkersRead() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            checkRows(statement);
            assertThat(readers(
                            statement, "SELECT sum(length(message)) FROM cordwood.acme.logs WHERE \"$tier\" = 'cold'"))
                    .isEqualTo(workers());
        }
        ship();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            checkRows(statement);
        }
        awaitArchived();
    }

    @Test
    @Order(3)
    void lossOfOneOfEachLosesAndDoublesNothing() throws Exception {
        ship();
        Set<String> before = workers();
        kill("flink-taskmanager-1");
        kill("trino-worker-1");
        long begun = System.nanoTime();
        ship();
        await("a query is answered", () -> count("") == shipped);
        System.out.printf("one of each is gone: a query answered after %.1f s%n", secondsSince(begun));
        await("the lost worker is known to be gone", () -> workers().size() == 1);
        System.out.printf("one of each is gone: one worker known after %.1f s%n", secondsSince(begun));
        assertThat(before).containsAll(workers());
        awaitArchived();
        System.out.printf("one of each is gone: archived again after %.1f s%n", secondsSince(begun));
        assertThat(builders()).hasSize(1);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            checkRows(statement);
        }
    }

    @Test
    @Order(4)
    void newOnesTakeTheirShare() throws Exception {
        long begun = System.nanoTime();
        launchTaskManager(3);
        launchWorker(3);
        await("two workers are known again", () -> workers().size() == 2);
        System.out.printf("one of each is new: two workers after %.1f s%n", secondsSince(begun));
        ship();
        await("the job runs in two TaskManagers again", () -> builders().size() == 2);
        System.out.printf("one of each is new: two TaskManagers after %.1f s%n", secondsSince(begun));
        ship();
        awaitArchived();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            checkRows(statement);
            assertThat(readers(statement, "SELECT sum(length(message)) FROM cordwood.acme.logs"))
                    .isEqualTo(workers());
        }
    }

    private void launchTaskManager(int number) throws IOException {
        launch(
                "flink-taskmanager",
                "flink-taskmanager-" + number,
                Map.of("CORDWOOD_BIND", host(number), "CORDWOOD_SLOTS", "1"));
    }

    private void launchWorker(int number) throws IOException {
        launch(
                "trino-worker",
                "trino-worker-" + number,
                Map.of("CORDWOOD_BIND", host(number), "CORDWOOD_PORT", Integer.toString(FreePort.choose())));
    }

    /** Linux has all of 127.0.0.0/8. */
    private static String host(int number) {
        return System.getProperty("os.name").equals("Linux") ? "127.0.0." + (1 + number) : "127.0.0.1";
    }

    private void launch(String service, String name, Map<String, String> more) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Program.root().resolve("bin/cordwood").toString(), "service", service)
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(variable -> variable.startsWith("CORDWOOD_"));
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("CORDWOOD_BUILD", "never");
        variables.put("CORDWOOD_HOME", directory.resolve("home-" + name).toString());
        variables.put("CORDWOOD_METRICS_PORT", Integer.toString(FreePort.choose()));
        variables.putAll(environment);
        variables.putAll(more);
        processes.put(name, builder.start());
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private static String port(String url) {
        return Integer.toString(URI.create(url).getPort());
    }

    private void kill(String name) throws InterruptedException {
        processes.remove(name).destroyForcibly().waitFor();
    }

    private boolean answers(String url) throws IOException, InterruptedException {
        try {
            return send(url).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Waits, as long as all processes run. */
    private void await(String what, Waiting.Condition<IOException> condition) throws IOException, InterruptedException {
        Waiting.until(what, () -> {
            for (Map.Entry<String, Process> process : processes.entrySet()) {
                if (!process.getValue().isAlive()) {
                    throw new IllegalStateException(
                            process.getKey() + " has ended: " + Files.readString(log(process.getKey())));
                }
            }
            return condition.holds();
        });
    }

    private HttpResponse<byte[]> send(String url) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(10))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Rows in every partition. */
    private void ship() throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", kafka.url());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int n = shipped; n < shipped + ROWS; n++) {
                String value = "{\"n\":%d,\"level\":\"%s\",\"message\":\"row %d has token%d\"}"
                        .formatted(n, n % 10 == 0 ? "ERROR" : "INFO", n, n);
                sent.add(producer.send(new ProducerRecord<>(
                        "logs",
                        n % PARTITIONS,
                        "acme".getBytes(StandardCharsets.UTF_8),
                        value.getBytes(StandardCharsets.UTF_8))));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
        shipped += ROWS;
    }

    private void awaitArchived() throws IOException, InterruptedException {
        await("all rows are in LogBlocks", () -> count(" WHERE \"$tier\" = 'cold'") == shipped);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:trino://" + trino, "test", null);
    }

    /** Rows of the table; -1 if the query fails, as it does while a lost worker is still taken for running. */
    private long count(String condition) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            return number(statement, "SELECT count(*) FROM cordwood.acme.logs" + condition);
        } catch (SQLException e) {
            return -1;
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void checkRows(Statement statement) throws SQLException {
        String all = "SELECT %s FROM cordwood.acme.logs";
        assertThat(number(statement, all.formatted("count(*)"))).isEqualTo(shipped);
        assertThat(number(statement, all.formatted("count(DISTINCT n)"))).isEqualTo(shipped);
        assertThat(number(statement, all.formatted("sum(n)"))).isEqualTo((long) shipped * (shipped - 1) / 2);
        assertThat(number(statement, all.formatted("n") + " WHERE match(message, 'token12345')"))
                .isEqualTo(12_345);
        assertThat(number(statement, all.formatted("count(*)") + " WHERE level = 'ERROR'"))
                .isEqualTo(shipped / 10);
        assertThat(number(statement, all.formatted("n") + " ORDER BY ts DESC LIMIT 1"))
                .isBetween((long) shipped - ROWS, shipped - 1L);
    }

    /** The workers that Trino's coordinator gives splits to. */
    private Set<String> workers() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            return strings(
                    statement, "SELECT node_id FROM system.runtime.nodes WHERE NOT coordinator AND state = 'active'");
        } catch (SQLException e) {
            return Set.of();
        }
    }

    /** The nodes that read splits of a query. */
    private static Set<String> readers(Statement statement, String sql) throws SQLException {
        number(statement, sql);
        return strings(statement, """
                SELECT DISTINCT node_id FROM system.runtime.tasks JOIN system.runtime.queries USING (query_id)
                WHERE query = '%s' AND completed_splits > 0 AND physical_input_bytes > 0
                """.formatted(sql.replace("'", "''")));
    }

    private static Set<String> strings(Statement statement, String sql) throws SQLException {
        Set<String> strings = new HashSet<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                strings.add(rows.getString(1));
            }
        }
        return strings;
    }

    /** The TaskManagers that run subtasks which build LogBlocks. */
    private Set<String> builders() throws IOException, InterruptedException {
        return recordsBuilt().keySet();
    }

    /** How many records the running subtasks that build LogBlocks have got, by TaskManager. */
    private Map<String, Long> recordsBuilt() throws IOException, InterruptedException {
        Map<String, Long> records = new TreeMap<>();
        if (!answers(flink + "/jobs/overview")) {
            return records;
        }
        for (JsonNode job : get("/jobs/overview").path("jobs")) {
            String path = "/jobs/" + job.path("jid").asText();
            for (JsonNode vertex : get(path).path("vertices")) {
                if (vertex.path("name").asText().contains("Build LogBlocks")) {
                    for (JsonNode subtask : get(path + "/vertices/"
                                    + vertex.path("id").asText())
                            .path("subtasks")) {
                        if (subtask.path("status").asText().equals("RUNNING")) {
                            records.merge(
                                    subtask.path("taskmanager-id").asText(),
                                    subtask.path("metrics").path("read-records").asLong(),
                                    Long::sum);
                        }
                    }
                }
            }
        }
        return records;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return json.readTree(send(flink + path).body());
    }

    private static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
