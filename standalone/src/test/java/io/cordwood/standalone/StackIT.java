package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ProcessIdentity;
import io.cordwood.standalone.process.ProcessStopper;
import io.cordwood.standalone.process.Supervisor;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
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
 * One real stack, through what happens to stacks: rows come, processes die, the supervisor dies, the machine restarts.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class StackIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final List<String> SERVICES =
            List.of("kafka", "redis", "catalog", "flink", "compaction", "balancer", "trino", "search", "gateway");
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final int ROWS = 20_000;

    private final ObjectMapper json = new ObjectMapper();
    private Home home;
    private Program cordwood;
    private Path files;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        files = directory;
        home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory());
        assertThat(startStack()).extracting(Outcome::err).isEqualTo("");
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    @Test
    @Order(1)
    void readyStackSaysWhereEverythingIs() throws Exception {
        JsonNode endpoints = json.readTree(home.endpoints().toFile());
        assertThat(endpoints.fieldNames())
                .toIterable()
                .containsExactly(
                        "kafka",
                        "redis",
                        "catalog",
                        "flink",
                        "compaction",
                        "balancer",
                        "trino",
                        "search",
                        "gateway",
                        "otlp_grpc",
                        "syslog",
                        "warehouse");
        for (String service : SERVICES) {
            assertThat(new PidFile(home.run(), service).running()).as(service).isPresent();
            assertThat(home.log(service)).exists();
        }
        Outcome status = cordwood.run("status");
        assertThat(status.code()).isZero();
        assertThat(status.out())
                .contains("ingest job running for ")
                .contains("without a checkpoint")
                .contains("stream logs: 0 records not yet archived");
    }

    @Test
    @Order(2)
    void secondSupervisorIsRefused() throws Exception {
        Outcome second = cordwood.run("up");
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err()).hasLineCount(1).contains("a stack already runs in " + home.directory());
    }

    @Test
    @Order(3)
    void shippedRowsCanBeQueried() throws Exception {
        assertThat(produce("acme", numbered("first.ndjson.gz", 0))).contains("20,000 records acknowledged");
        assertThat(produce("Beta team", lines("plain.log", List.of("one line", "another \"line\"", "", "{broken"))))
                .contains("4 records acknowledged");

        awaitRow(
                "SELECT count(*) AS n, count(DISTINCT n) AS d, min(n) AS lo, max(n) AS hi FROM cordwood.acme.logs",
                row -> row.path("n").asInt() == ROWS
                        && row.path("d").asInt() == ROWS
                        && row.path("lo").asInt() == 0
                        && row.path("hi").asInt() == ROWS - 1);
        awaitRow(
                "SELECT count(*) AS n FROM cordwood.\"~42eta~20team\".logs WHERE message IN ('one line', 'another \"line\"', '', '{broken')",
                row -> row.path("n").asInt() == 4);
        assertThat(cordwood.run("tenant", "list").out()).contains("Beta team").contains("~42eta~20team");
        assertThat(cordwood.call("search", "\"one line\"", "--tenant", "Beta team"))
                .satisfies(found ->
                        assertThat(found.out()).as(found.err()).hasLineCount(1).contains(" one line"));
    }

    @Test
    @Order(3)
    void balancerRoutesTheTenantsThatTheIngestJobReports() throws Exception {
        Path rows = numbered("hooli.ndjson.gz", 0);
        URI routes = URI.create(Endpoints.read(home).balancer() + "/api/routes");
        try (HttpClient http = HttpClient.newHttpClient()) {
            await(
                    () -> {
                        // A tenant that goes on sending: one that has stopped needs no route
                        assertThat(produce("hooli", rows)).contains("20,000 records acknowledged");
                        HttpResponse<String> answer =
                                http.send(HttpRequest.newBuilder(routes).build(), HttpResponse.BodyHandlers.ofString());
                        return new Outcome(0, answer.body(), "");
                    },
                    outcome -> outcome.out().contains("\"hooli\":[{\"partition\":"));
        }
    }

    @Test
    @Order(3)
    void dashboardsAndAlertsAskForWhatIsThere() throws Exception {
        Monitored stack = new Monitored(home, cordwood);
        Path rows = numbered("monitored.ndjson.gz", 0);
        stack.produceTraffic(rows);
        stack.checkSelectors(rows);
        stack.checkSql();
    }

    /** Slow, as rates need time, and as it may have to download Prometheus. */
    @Test
    @Tag("slow")
    @Order(3)
    void prometheusAnswersDashboardsAndAlerts() throws Exception {
        Monitored stack = new Monitored(home, cordwood);
        Path rows = numbered("prometheus.ndjson.gz", 0);
        stack.produceTraffic(rows);
        stack.checkByPrometheus(rows);
    }

    @Test
    @Order(4)
    void killedServicesComeBackAndNoRowIsLostOrDoubled() throws Exception {
        Path second = numbered("second.ndjson.gz", ROWS);
        kill("flink");
        assertThat(produce("acme", second)).contains("20,000 records acknowledged");
        kill("catalog");
        kill("trino");

        awaitRow(
                "SELECT count(*) AS n, count(DISTINCT n) AS d FROM cordwood.acme.logs",
                row -> row.path("n").asInt() == 2 * ROWS && row.path("d").asInt() == 2 * ROWS);
        await(
                () -> cordwood.call("status"),
                status -> status.code() == 0
                        && status.out().contains("from checkpoint ")
                        && status.out().contains("archived the first rows "));
        assertUsageIsWhatWasShipped();
    }

    /** Whatever was killed while the rows came in. */
    private void assertUsageIsWhatWasShipped() throws Exception {
        awaitRow(
                "SELECT count(*) AS n FROM cordwood.acme.logs WHERE \"$tier\" = 'cold'",
                row -> row.path("n").asInt() == 2 * ROWS);
        Outcome usage = cordwood.run(
                "sql",
                "--json",
                "SELECT sum(rows) AS n, sum(raw_bytes) AS raw, sum(stored_bytes) > 0 AS stored FROM cordwood.system.usage"
                        + " WHERE tenant_id = 'acme' AND stream = 'logs'");
        long rawBytes =
                IntStream.range(0, 2 * ROWS).mapToLong(n -> line(n).length()).sum();
        assertThat(json.readTree(usage.out()))
                .isEqualTo(json.readTree("{\"n\":%d,\"raw\":%d,\"stored\":true}".formatted(2 * ROWS, rawBytes)));
        await(
                () -> cordwood.call("tenant", "show", "acme"),
                shown -> Pattern.compile("logs +\\| last 24 hours +\\| +%d \\| +%d \\| +\\d+ \\| +[1-9]"
                                .formatted(2 * ROWS, rawBytes))
                        .matcher(shown.out())
                        .find());
    }

    @Test
    @Order(5)
    void killedSupervisorIsReplacedOnTheSameData() throws Exception {
        Endpoints before = Endpoints.read(home);
        kill(Supervisor.NAME);
        Outcome status = cordwood.run("status");
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out())
                .contains(
                        "was killed; still running: balancer, catalog, compaction, flink, gateway, kafka, redis, search, trino");

        assertThat(startStack().out()).contains("ended services that an earlier supervisor had left running");

        assertThat(Endpoints.read(home)).isEqualTo(before);
        awaitRow(
                "SELECT count(*) AS n, count(DISTINCT n) AS d FROM cordwood.acme.logs",
                row -> row.path("n").asInt() == 2 * ROWS && row.path("d").asInt() == 2 * ROWS);
        assertUsageIsWhatWasShipped();
    }

    @Test
    @Order(6)
    void errorsOfSqlAreOneLine() throws Exception {
        Outcome wrong = cordwood.run("sql", "SELECT nothing FROM cordwood.acme.logs");
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.err()).isEqualTo("cordwood sql: line 1:8: Column 'nothing' cannot be resolved\n");
    }

    @Test
    @Order(6)
    void lineThatNoRecordCanHoldStopsTheShipping() throws Exception {
        Path file = lines("huge.log", List.of("one", "two", "x".repeat(17 << 20), "never"));
        Outcome outcome = cordwood.run("produce", "--tenant", "huge", file.toString());
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err())
                .isEqualTo("cordwood produce: %s, line 3: more than the 16 MB a record can hold".formatted(file)
                        + " (2 records before it were acknowledged)\n");
    }

    @Test
    @Order(7)
    void downLeavesNothingRunning() throws Exception {
        List<ProcessHandle> processes = SERVICES.stream()
                .map(service -> new PidFile(home.run(), service).running())
                .flatMap(Optional::stream)
                .toList();
        assertThat(processes).hasSameSizeAs(SERVICES);

        assertThat(cordwood.run("down").out()).isEqualTo("stopped\n");

        assertThat(processes)
                .allMatch(process -> ProcessIdentity.of(process.pid()).isEmpty());
        assertThat(home.endpoints()).doesNotExist();
        try (Stream<Path> left = Files.list(home.run())) {
            assertThat(left.map(file -> file.getFileName().toString())).noneMatch(name -> name.endsWith(".pid"));
        }
        assertThat(cordwood.run("down").out()).startsWith("nothing runs in");
    }

    private Outcome startStack() throws Exception {
        return cordwood.run("up", "--detach", "--max-age", "3", "--partitions", "4");
    }

    private String produce(String tenant, Path file) throws Exception {
        Outcome outcome = cordwood.call("produce", "--tenant", tenant, file.toString());
        assertThat(outcome.err()).isEmpty();
        return outcome.out();
    }

    private void kill(String name) throws InterruptedException {
        ProcessHandle process = new PidFile(home.run(), name).running().orElseThrow();
        ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
        process.destroyForcibly();
        assertThat(ProcessStopper.awaitEnd(identity, TIMEOUT)).isTrue();
    }

    private void awaitRow(String sql, Predicate<JsonNode> condition) throws Exception {
        await(() -> cordwood.call("sql", "--json", sql), outcome -> {
            try {
                return outcome.code() == 0 && condition.test(json.readTree(outcome.out()));
            } catch (IOException e) {
                throw new AssertionError(outcome.out(), e);
            }
        });
    }

    /** Asks again until the answer is right. */
    private static void await(Question question, Predicate<Outcome> right) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Outcome outcome = question.ask();
        while (!right.test(outcome)) {
            assertThat(System.nanoTime()).as("still %s", outcome).isLessThan(deadline);
            LockSupport.parkNanos(PAUSE.toNanos());
            outcome = question.ask();
        }
    }

    @FunctionalInterface
    private interface Question {
        Outcome ask() throws Exception;
    }

    private Path numbered(String name, int first) throws IOException {
        Path file = files.resolve(name);
        try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(file))) {
            for (int n = first; n < first + ROWS; n++) {
                output.write((line(n) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    private static String line(int n) {
        return "{\"n\":%d,\"level\":\"%s\",\"message\":\"row %d\"}".formatted(n, n % 10 == 0 ? "ERROR" : "INFO", n);
    }

    private Path lines(String name, List<String> lines) throws IOException {
        return Files.write(files.resolve(name), lines);
    }
}
