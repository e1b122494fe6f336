package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.identity.PemFiles;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.deploy.Compose;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The images, and {@code docker/compose.yaml} with them, used from outside as operators and their users do. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class ComposeIT {
    private static final long LARGEST_IMAGE = 400_000_000;
    private static final List<String> OWN = List.of(
            "broker",
            "catalog",
            "flink",
            "flink-taskmanager",
            "compaction",
            "balancer",
            "trino",
            "trino-worker",
            "search",
            "gateway");
    private static final List<String> OTHERS = List.of("postgres", "redis", "s3", "prometheus", "alertmanager");
    private static final List<String> ALL =
            Stream.concat(OTHERS.stream(), OWN.stream()).toList();
    private static final List<String> IMAGES =
            List.of("broker", "catalog", "flink", "balancer", "trino", "search", "gateway");
    private static final String VERSION = "test";
    private static final String NEXT_VERSION = "test-next";

    private Path files;
    private Compose compose;
    private Home home;
    private Program cordwood;
    private Endpoints endpoints;
    private HttpClient stranger;

    @BeforeAll
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void build(@TempDir Path directory) throws Exception {
        files = directory;
        compose = Compose.build(Program.root(), Program.root().resolve("target/containers"), Compose.WITH_WORKERS);
        compose.set("MAX_AGE_SECONDS", "5");
        home = new Home(directory.resolve("lake"));
        home.create();
        cordwood = new Program(home.directory());
        compose.run("down", "--volumes");
    }

    @AfterAll
    void remove() throws Exception {
        if (stranger != null) {
            stranger.close();
        }
        if (compose != null) {
            try {
                compose.runTo(Program.root().resolve("target/containers/containers.log"), "logs", "--no-color");
            } finally {
                compose.remove();
            }
        }
    }

    private String ok(String... command) {
        return cordwood.callOk(command);
    }

    private static void report(String what, long begun) {
        System.out.printf("%s: %.1f s%n", what, (System.nanoTime() - begun) / 1e9);
    }

    @Test
    @Order(1)
    void imagesAreSmallAndRunAsNobodyElse() throws Exception {
        for (String name : IMAGES) {
            String image = "cordwood/%s:%s".formatted(name, VERSION);
            long size = Long.parseLong(compose.inspect(image, "{{.Size}}"));
            System.out.printf("%s: %d MB%n", image, size / 1_000_000);
            assertThat(size).as(image).isLessThan(LARGEST_IMAGE);
            assertThat(compose.inspect(image, "{{.Config.User}}")).as(image).isEqualTo("10001");
        }
    }

    @Test
    @Order(2)
    void allServicesStartAndAreHealthy() throws Exception {
        long begun = System.nanoTime();
        compose.run("up", "--detach", "--wait", "--scale", "flink-taskmanager=2");
        report("up", begun);
        // Without Grafana, whose image is not everywhere to be had
        compose.set("COMPOSE_PROFILES", "core,workers,observability");
        compose.run("up", "--detach", "--no-deps", "--wait", "prometheus", "alertmanager");
        for (String service : ALL) {
            assertThat(compose.isHealthy(service)).as(service).isTrue();
        }
    }

    @Test
    @Order(3)
    void containersMayDoNoMoreThanTheyNeed() throws Exception {
        for (String service : OWN) {
            for (String container : compose.containers(service)) {
                assertThat(
                                compose.inspect(
                                        container,
                                        "{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}"))
                        .as(service)
                        .isEqualTo("10001 true [ALL] [no-new-privileges:true]");
            }
        }
        for (String service : OTHERS) {
            for (String container : compose.containers(service)) {
                assertThat(compose.inspect(container, "{{.Config.User}} {{.HostConfig.ReadonlyRootfs}}"))
                        .as(service)
                        .matches("(postgres|[1-9][0-9]*) true");
            }
        }
    }

    /** As docs/operate/deploying.md says. */
    @Test
    @Order(4)
    void theOperatorTakesTheSecretsToAHome() throws Exception {
        endpoints = OperatorHome.enter(compose, home);
        stranger = HttpClient.newBuilder()
                .sslContext(PemFiles.trusting(OperatorHome.authorities(home)))
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        ok("tenant", "set", "acme", "--quota", "0");
        ok("tenant", "set", "globex", "--quota", "0");
        ok("user", "add", "ann");
        ok("user", "grant", "ann", "--tenant", "acme", "--role", "reader,writer");
        ok("user", "grant", "ann", "--tenant", "globex", "--role", "reader,writer");
    }

    @Test
    @Order(5)
    void rowsComeInThroughKafkaAndTheGatewayAndAreFound() throws Exception {
        Path lines = Files.writeString(files.resolve("app.log"), "shipped through Kafka\n");
        assertThat(ok("produce", "--tenant", "globex", lines.toString())).contains("1 records acknowledged");
        String token = ok("token", "create", "--user", "ann").strip();
        HttpResponse<String> answer = stranger.send(
                HttpRequest.newBuilder(URI.create(endpoints.gateway() + "/api/v1/ingest/logs?tenant=globex"))
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.ofString("{\"message\": \"shipped through the gateway\"}\n"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Path key = Files.writeString(files.resolve("ann.token"), token);
        Waiting.until("both rows are archived", () -> found(key, " WHERE \"$tier\" = 'cold'") == 2);
        assertThat(ok("search", "shipped gateway", "--tenant", "globex", "--token-file", key.toString()))
                .hasLineCount(1);
    }

    private long found(Path key, String condition) {
        Outcome outcome = cordwood.call(
                "sql",
                "--json",
                "--token-file",
                key.toString(),
                "SELECT message FROM cordwood.globex.logs" + condition);
        // A table begins with its first row
        assertThat(outcome.err())
                .satisfiesAnyOf(e -> assertThat(e).isEmpty(), e -> assertThat(e).contains("does not exist"));
        return outcome.out().lines().count();
    }

    @Test
    @Order(6)
    void noPortAnswersAStranger() throws Exception {
        assertThat(status(endpoints.catalog() + "/v1/config")).isEqualTo(401);
        assertThat(status(endpoints.balancer() + "/api/routes")).isEqualTo(401);
        assertThat(status(endpoints.search() + "/api/v1/tenants")).isEqualTo(401);
        assertThat(status(endpoints.trino() + "/v1/query")).isEqualTo(401);
        assertThat(stranger.send(
                                HttpRequest.newBuilder(
                                                URI.create(endpoints.gateway() + "/api/v1/ingest/logs?tenant=globex"))
                                        .POST(BodyPublishers.ofString("{\"message\": \"of a stranger\"}\n"))
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(401);
        assertThatThrownBy(() -> status(endpoints.flink() + "/jobs/overview"))
                .as("Flink knows its callers by their certificates")
                .isInstanceOf(SSLException.class);
        try (Admin admin = Admin.create(
                Map.of(
                        "bootstrap.servers",
                        endpoints.kafka(),
                        "security.protocol",
                        "SASL_SSL",
                        "ssl.truststore.type",
                        "PEM",
                        "ssl.truststore.location",
                        endpoints.ca(),
                        "sasl.mechanism",
                        "SCRAM-SHA-512",
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"ann\" password=\"guessed\";"))) {
            assertThatThrownBy(() -> admin.listTopics().names().get())
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
        }
    }

    private int status(String uri) throws IOException, InterruptedException {
        return stranger.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @Order(7)
    void prometheusReachesEveryService() throws Exception {
        Set<String> jobs = Pattern.compile("job_name: ([a-z-]+)")
                .matcher(Files.readString(Program.root().resolve("docker/observability/prometheus/prometheus.yml")))
                .results()
                .map(job -> job.group(1))
                .collect(Collectors.toSet());
        assertThat(jobs).hasSizeGreaterThan(5);
        Waiting.until("all targets are up", () -> up().equals(jobs));
    }

    /** The jobs of Prometheus all of whose targets answer. */
    private Set<String> up() throws IOException, InterruptedException {
        return prometheus("query?query=min+by+(job)(up)")
                .path("result")
                .valueStream()
                .filter(target -> target.path("value").path(1).asText().equals("1"))
                .map(target -> target.path("metric").path("job").asText())
                .collect(Collectors.toSet());
    }

    @Test
    @Order(7)
    void prometheusSendsAlertsToAlertmanager() throws Exception {
        assertThat(prometheus("alertmanagers")
                        .path("activeAlertmanagers")
                        .path(0)
                        .path("url")
                        .asText())
                .isEqualTo("http://alertmanager:9093/api/v2/alerts");
        assertThat(status("http://localhost:9093/-/ready")).isEqualTo(200);
    }

    /** What Prometheus answers to a request of its API. */
    private JsonNode prometheus(String request) throws IOException, InterruptedException {
        return new ObjectMapper()
                .readTree(stranger.send(
                                HttpRequest.newBuilder(URI.create("http://localhost:9090/api/v1/" + request))
                                        .build(),
                                BodyHandlers.ofString())
                        .body())
                .path("data");
    }

    @Test
    @Order(8)
    void noRowIsLostOrDoubleThroughCrashesAndUpgrades() throws Exception {
        Path reader = Files.writeString(files.resolve("reader.token"), ok("token", "create", "--user", "ann"));
        Path writer = Files.writeString(
                files.resolve("writer.token"),
                ok("token", "create", "--user", "ann", "--tenant", "acme", "--for", "records"));
        Properties kafka = new Properties();
        kafka.load(new StringReader(ok("user", "kafka-login", "ann")));
        try (CountedLoad load =
                new CountedLoad(endpoints, kafka, OperatorHome.authorities(home), "ann", reader, writer)) {
            Waiting.until("rows are found", () -> load.rowsFound() > 0);
            crashes();
            upgrades();
            workers(load, reader);
            theDatabaseIsLost(load, reader);
            if (compose.hasOwnEngine()) {
                long begun = System.nanoTime();
                compose.crash();
                awaitHealthy();
                report("all healthy after a crash of everything", begun);
            }
            long sent = load.stopSending();
            Waiting.until("all %d rows are found".formatted(sent), () -> load.rowsFound() >= sent);
            System.out.printf(
                    "%d rows, %d queries, %d of them failed, longest outage %s%n",
                    sent, load.queries(), load.failures(), load.longestOutage());
            assertThat(load.lost()).as("rows that Kafka refused for good").isEmpty();
            assertThat(load.rowsFound()).as("each row once").isEqualTo(sent);
            assertThat(load.distinctRowsFound()).as("each row once").isEqualTo(sent);
            Waiting.until("all rows are archived", () -> archived(reader) == sent);
            assertThat(load.rowsFound()).isEqualTo(sent);
        }
    }

    @Test
    @Order(9)
    void theOpenStackAsksNobody() throws Exception {
        compose.run("down", "--volumes");
        compose.set("COMPOSE_PROFILES", "core");
        compose.set("JOBMANAGER", "");
        compose.set("COORDINATOR", "");
        compose.open();
        long begun = System.nanoTime();
        compose.run("up", "--detach", "--wait");
        report("up, open, without workers", begun);
        Home anybody = new Home(files.resolve("anybody"));
        anybody.create();
        new Endpoints(
                        "localhost:19092",
                        "",
                        "http://localhost:8181",
                        "",
                        "",
                        "",
                        "http://localhost:8080",
                        "http://localhost:8095",
                        "",
                        "",
                        "",
                        "s3://cordwood/warehouse",
                        "")
                .write(anybody);
        Program open = new Program(anybody.directory());
        Path lines = Files.writeString(files.resolve("open.log"), "shipped to an open stack\n");
        assertThat(open.call("produce", "--tenant", "acme", lines.toString()))
                .extracting(Outcome::code)
                .isEqualTo(0);
        Waiting.until(
                "the row is archived",
                () -> open.call("sql", "--json", "SELECT message FROM cordwood.acme.logs WHERE \"$tier\" = 'cold'")
                        .out()
                        .contains("shipped to an open stack"));
        assertThat(open.call("search", "shipped", "--tenant", "acme").out()).contains("shipped to an open stack");
    }

    private long archived(Path reader) {
        Outcome outcome = cordwood.call(
                "sql",
                "--json",
                "--token-file",
                reader.toString(),
                "SELECT count(*) AS n FROM cordwood.acme.logs WHERE \"$tier\" = 'cold'");
        return outcome.code() == 0 ? Long.parseLong(outcome.out().replaceAll("\\D", "")) : -1;
    }

    private void crashes() throws Exception {
        for (String service : ALL) {
            if (List.of("prometheus", "alertmanager").contains(service)) {
                // No row passes through them
                continue;
            }
            long begun = System.nanoTime();
            String container = compose.containers(service).getFirst();
            String started = compose.inspect(container, "{{.State.StartedAt}}");
            compose.kill(container);
            Waiting.until(
                    service + " has started again",
                    () -> !compose.inspect(container, "{{.State.StartedAt}}").equals(started));
            awaitHealthy();
            report("all healthy after a crash of " + service, begun);
        }
    }

    /** Only the catalog stops for it; the jobs go on, with what they know of the lost database. */
    private void theDatabaseIsLost(CountedLoad load, Path reader) throws Exception {
        String cordwood = "/opt/cordwood/bin/cordwood";
        System.out.print(compose.run("exec", "-T", "catalog", cordwood, "backup", "--to", "s3://cordwood/backups"));
        long shipped = load.rowsFound();
        Waiting.until("rows are archived after the backup", () -> archived(reader) > shipped);
        long begun = System.nanoTime();
        compose.run("stop", "catalog");
        compose.run(
                "exec",
                "-T",
                "postgres",
                "psql",
                "--username=cordwood",
                "--command=DROP SCHEMA public CASCADE",
                "--command=CREATE SCHEMA public");
        String restored = compose.run(
                "run",
                "--rm",
                "-T",
                "--no-deps",
                "--entrypoint",
                cordwood,
                "catalog",
                "restore",
                "--from",
                "s3://cordwood/backups");
        System.out.print(restored);
        assertThat(restored)
                .containsPattern("  acme.logs: \\d+ commits after the backup")
                .contains("  stream logs: archived-through is as the warehouse tells")
                .doesNotContain("! ");
        compose.run("start", "catalog");
        awaitHealthy();
        report("all healthy after the catalog's database was lost", begun);
        long found = load.rowsFound();
        Waiting.until("rows are archived after the restore", () -> archived(reader) > found);
        report("rows are archived after the catalog's database was lost", begun);
    }

    private void awaitHealthy() throws Exception {
        for (String service : ALL) {
            Waiting.until(service + " is healthy", () -> compose.isHealthy(service));
        }
    }

    /** One service after the other, as docs/operate/deploying.md says. */
    private void upgrades() throws Exception {
        for (String image : IMAGES) {
            compose.docker(
                    "tag", "cordwood/%s:%s".formatted(image, VERSION), "cordwood/%s:%s".formatted(image, NEXT_VERSION));
        }
        compose.set("CORDWOOD_VERSION", NEXT_VERSION);
        long begun = System.nanoTime();
        for (String service : OWN) {
            List<String> command = new ArrayList<>(List.of("up", "--detach", "--no-deps", "--wait"));
            if (service.equals("flink-taskmanager")) {
                command.addAll(List.of("--scale", service + "=2"));
            }
            command.add(service);
            compose.run(command.toArray(String[]::new));
            assertThat(compose.inspect(compose.containers(service).getFirst(), "{{.Config.Image}}"))
                    .endsWith(":" + NEXT_VERSION);
        }
        awaitHealthy();
        report("upgraded one service after the other", begun);
    }

    private void workers(CountedLoad load, Path reader) throws Exception {
        for (int count : List.of(3, 1, 2)) {
            long begun = System.nanoTime();
            compose.run(
                    "up",
                    "--detach",
                    "--no-deps",
                    "--wait",
                    "--scale",
                    "flink-taskmanager=" + count,
                    "flink-taskmanager");
            assertThat(compose.containers("flink-taskmanager")).hasSize(count);
            long shipped = load.rowsFound();
            Waiting.until("rows are archived with %d TaskManagers".formatted(count), () -> archived(reader) >= shipped);
            report("rows are archived by %d TaskManagers".formatted(count), begun);
        }
    }
}
