package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.io.S3Clients;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.services.FaultyHttpProxy;
import io.cordwood.services.FaultyHttpProxy.Fate;
import io.cordwood.services.HttpFaults;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.observability.Scrapes;
import io.cordwood.standalone.process.PidFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * One stack on services of others: Kafka, Redis, an S3 store behind a connection that can go wrong, and PostgreSQL.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ExternalServicesIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final int ROWS = 20_000;
    private static final HttpFaults FAULTS = new HttpFaults(Duration.ofMillis(200), 0.01, 0.01, 0.01, 0.005);

    private final ObjectMapper json = new ObjectMapper();
    private Service kafka;
    private Service redis;
    private Service postgresql;
    private Service store;
    private FaultyHttpProxy proxy;
    private Home home;
    private Program cordwood;
    private Path files;
    private int shipped;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        files = directory;
        kafka = TestServices.kafka();
        redis = TestServices.redis();
        postgresql = TestServices.postgresql();
        store = TestServices.objectStore();
        proxy = FaultyHttpProxy.before(store.address(), 1);
        home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory(), S3Account.environment());
        assertThat(startStack()).extracting(Outcome::err).isEqualTo("");
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
        proxy.close();
        for (Service service : List.of(store, postgresql, redis, kafka)) {
            service.close();
        }
    }

    private Outcome startStack() throws Exception {
        return cordwood.run(
                "up",
                "--detach",
                "--max-age",
                "3",
                "--partitions",
                "4",
                "--kafka",
                kafka.url(),
                "--redis",
                redis.url(),
                "--catalog-db",
                postgresql.url(),
                "--warehouse",
                "s3://%s/logs".formatted(S3Account.BUCKET),
                "--s3-endpoint",
                proxy.url(),
                "--s3-path-style");
    }

    @Test
    @Order(1)
    void onlyWhatNobodyElseRunsIsStarted() {
        Endpoints endpoints = Endpoints.read(home);
        assertThat(endpoints.kafka()).isEqualTo(kafka.url());
        assertThat(endpoints.redis()).isEqualTo(redis.url());
        assertThat(endpoints.warehouse()).isEqualTo("s3://cordwood/logs");
        for (String service : List.of("catalog", "flink", "balancer", "trino", "search", "gateway")) {
            assertThat(new PidFile(home.run(), service).running()).as(service).isPresent();
        }
        for (String service : List.of("kafka", "redis")) {
            assertThat(new PidFile(home.run(), service).running()).as(service).isEmpty();
        }
        assertThat(home.data().resolve("catalog.db")).doesNotExist();
        assertThat(home.warehouse()).doesNotExist();
        assertThat(home.data().resolve("checkpoints")).doesNotExist();
    }

    @Test
    @Order(2)
    void rowsAreRightHotAndCold() throws Exception {
        ship();
        // Columns that nobody declared are known from the first commit on.
        awaitCold();
        ship();
        checkAnswers();
        awaitCold();
        checkAnswers();
        assertThat(rows("EXPLAIN ANALYZE VERBOSE SELECT * FROM cordwood.acme.logs")
                        .toString())
                .contains("'store requests' = ", "'store bytes' = ", "'store requests repeated' = ");
        assertThat(keys()).anyMatch(key -> key.startsWith("logs-checkpoints/"));
        assertLogBlocksAreWhole();
    }

    @Test
    @Order(3)
    void faultsOfTheStoreLoseNothingAndDoubleNothing() throws Exception {
        proxy.let(FAULTS);
        long begun = System.nanoTime();
        ship();
        checkAnswers();
        awaitCold();
        System.out.printf("with faults: archived after %d s%n", secondsSince(begun));
        begun = System.nanoTime();
        checkAnswers();
        System.out.printf("with faults: six queries in %d s%n", secondsSince(begun));
        // Each fault is rare
        for (int i = 0; i < 2 || !allFaultsHappened(); i++) {
            ship();
            awaitCold();
        }
        checkAnswers();
        for (Fate fate : Fate.values()) {
            System.out.printf("with faults: %s %d%n", fate, proxy.count(fate));
        }
        // The compaction job uses the store in its next cycle
        Waiting.until(
                "the catalog, the ingest job, the compaction job, Trino and the search service count their requests",
                () -> metrics("cordwood_store_requests_total").size() == 5);
        assertThat(metrics("cordwood_store_requests_failed_total")).anyMatch(sample -> sample.value() > 0);
        assertLogBlocksAreWhole();
    }

    private List<Scrapes.Sample> metrics(String name) throws IOException, InterruptedException {
        return Scrapes.of(Scrapes.targets(home)).samples().stream()
                .filter(sample -> sample.name().equals(name))
                .toList();
    }

    private boolean allFaultsHappened() {
        return proxy.count(Fate.UNAVAILABLE) > 0 && proxy.count(Fate.RESET_BEFORE) + proxy.count(Fate.RESET_AFTER) > 0;
    }

    @Test
    @Order(4)
    void killedServicesComeBackFromTheCheckpointInTheStore() throws Exception {
        kill("flink");
        ship();
        kill("catalog");
        kill("trino");
        awaitCold();
        checkAnswers();
        await(() -> cordwood.call("status"), status -> status.out().contains("from checkpoint "));
    }

    @Test
    @Order(5)
    void storeThatIsDownDelaysRowsAndLosesNone() throws Exception {
        proxy.let(HttpFaults.NONE);
        store.kill();
        ship();
        store.restart();
        awaitCold();
        checkAnswers();
        assertLogBlocksAreWhole();
    }

    @Test
    @Order(6)
    void databaseThatIsDownDelaysRowsAndLosesNone() throws Exception {
        postgresql.kill();
        ship();
        postgresql.restart();
        awaitCold();
        checkAnswers();
    }

    @Test
    @Order(7)
    void stackThatIsStartedAnewFindsEverything() throws Exception {
        assertThat(cordwood.run("down").out()).isEqualTo("stopped\n");
        assertThat(startStack()).extracting(Outcome::err).isEqualTo("");
        checkAnswers();
        ship();
        awaitCold();
        checkAnswers();
    }

    private void ship() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int n = shipped; n < shipped + ROWS; n++) {
            lines.add("{\"n\":%d,\"level\":\"%s\",\"message\":\"row %d has token%d\"}"
                    .formatted(n, n % 10 == 0 ? "ERROR" : "INFO", n, n));
        }
        Path file = Files.write(files.resolve("rows.ndjson"), lines);
        Outcome outcome = cordwood.call("produce", "--tenant", "acme", file.toString());
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("20,000 records acknowledged");
        shipped += ROWS;
    }

    private void awaitCold() throws Exception {
        await(
                () -> cordwood.call(
                        "sql",
                        "--json",
                        "SELECT count_if(\"$tier\" = 'cold') AS cold, count(*) AS n FROM cordwood.acme.logs"),
                outcome -> {
                    if (outcome.code() != 0) {
                        return false;
                    }
                    JsonNode row = json.readTree(outcome.out());
                    assertThat(row.path("n").asInt()).isEqualTo(shipped);
                    return row.path("cold").asInt() == shipped;
                });
    }

    private void checkAnswers() throws Exception {
        long sum = (long) shipped * (shipped - 1) / 2;
        assertThat(rows("SELECT count(*) AS n, count(DISTINCT n) AS d, sum(n) AS s FROM cordwood.acme.logs"))
                .containsExactly(json.readTree("{\"n\":%d,\"d\":%d,\"s\":%d}".formatted(shipped, shipped, sum)));
        assertThat(rows("SELECT n FROM cordwood.acme.logs WHERE match(message, 'token12345')"))
                .containsExactly(json.readTree("{\"n\":12345}"));
        assertThat(rows("SELECT count(*) AS n FROM cordwood.acme.logs WHERE match(message, '\"row 7\" OR \"row 8\"')"))
                .containsExactly(json.readTree("{\"n\":2}"));
        assertThat(rows("SELECT count(*) AS n FROM cordwood.acme.logs WHERE level = 'ERROR'"))
                .containsExactly(json.readTree("{\"n\":%d}".formatted(shipped / 10)));
        assertThat(
                        rows(
                                "SELECT sum(n) AS n FROM (SELECT date_trunc('minute', ts), count(*) AS n FROM cordwood.acme.logs GROUP BY 1)"))
                .containsExactly(json.readTree("{\"n\":%d}".formatted(shipped)));
        assertThat(rows("SELECT n FROM cordwood.acme.logs ORDER BY ts DESC LIMIT 5"))
                .hasSize(5)
                .allMatch(row -> row.path("n").asInt() >= shipped - ROWS);
    }

    private List<JsonNode> rows(String sql) throws Exception {
        Outcome outcome = cordwood.call("sql", "--json", sql);
        assertThat(outcome.err()).as(sql).isEmpty();
        List<JsonNode> rows = new ArrayList<>();
        for (String line : outcome.out().lines().toList()) {
            rows.add(json.readTree(line));
        }
        return rows;
    }

    /** Whatever has the name of a LogBlock begins and ends as a Parquet file. */
    private void assertLogBlocksAreWhole() {
        List<String> logBlocks =
                keys().stream().filter(key -> key.endsWith(".parquet")).toList();
        assertThat(logBlocks).isNotEmpty();
        try (S3Client client = client()) {
            for (String key : logBlocks) {
                for (String range : List.of("bytes=0-3", "bytes=-4")) {
                    assertThat(client.getObjectAsBytes(get -> get.bucket(S3Account.BUCKET)
                                            .key(key)
                                            .range(range))
                                    .asString(StandardCharsets.UTF_8))
                            .as("%s of %s", range, key)
                            .isEqualTo("PAR1");
                }
            }
        }
    }

    private List<String> keys() {
        try (S3Client client = client()) {
            return client.listObjectsV2Paginator(list -> list.bucket(S3Account.BUCKET)).contents().stream()
                    .map(S3Object::key)
                    .toList();
        }
    }

    /** Past the proxy. */
    private S3Client client() {
        S3Account.useHere();
        return S3Clients.create(new S3Settings(Optional.of(URI.create(store.url())), Optional.empty(), true), 4);
    }

    private void kill(String name) {
        new PidFile(home.run(), name).running().orElseThrow().destroyForcibly();
    }

    private static long secondsSince(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun).toSeconds();
    }

    @FunctionalInterface
    private interface Question {
        Outcome ask() throws Exception;
    }

    @FunctionalInterface
    private interface Check {
        boolean passes(Outcome outcome) throws IOException;
    }

    /** Asks again until the answer is right. */
    private static void await(Question question, Check right) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Outcome outcome = question.ask();
        while (!right.passes(outcome)) {
            assertThat(System.nanoTime()).as("still %s", outcome).isLessThan(deadline);
            LockSupport.parkNanos(PAUSE.toNanos());
            outcome = question.ask();
        }
    }
}
