package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.identity.PemFiles;
import io.cordwood.services.FreePort;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.ClosedServers;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
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
 * Every service alone, each with its own secrets of a lake with authentication, as containers run them: none can read
 * those of another.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ClosedClusterIT {
    private static final long STOP_SECONDS = 30;
    private static final String JOB_MANAGER = "127.0.0.1:" + FreePort.choose();

    private final Map<String, Process> processes = new ConcurrentHashMap<>();
    private final Map<String, Integer> ports = new HashMap<>();
    private Path directory;
    private Secrets secrets;
    private Program cordwood;
    private ClosedServers servers;
    private HttpClient stranger;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        // A run that is ended early leaves nothing running.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> processes.values().forEach(Process::destroyForcibly), "end services"));
        secrets = new Secrets(directory.resolve("secrets"));
        Home operator = new Home(directory.resolve("operator"));
        operator.create();
        cordwood = new Program(operator.directory());
        ok("secret", "init", "--secrets", secrets.directory().toString());
        servers = ClosedServers.start(Program.root(), new Home(directory.resolve("servers")), secrets);
        stranger = client(PemFiles.trusting(secrets.authorities()));

        for (String name :
                List.of("catalog", "flink", "compaction", "balancer", "trino", "trino-worker", "search", "gateway")) {
            ports.put(name, FreePort.choose());
        }
        // A password belongs to it, so it is a secret
        Files.writeString(own("catalog").resolve("catalog-db.url"), "jdbc:sqlite:" + directory.resolve("catalog.db"));
        new Endpoints(
                        servers.kafka(),
                        servers.redis(),
                        url("catalog"),
                        url("flink"),
                        url("compaction"),
                        url("balancer"),
                        url("trino"),
                        url("search"),
                        url("gateway"),
                        "",
                        "",
                        warehouse(),
                        secrets.authorities().toString())
                .write(operator);
    }

    private String warehouse() {
        return "file://" + directory.resolve("warehouse");
    }

    private String url(String service) {
        return "https://127.0.0.1:" + ports.get(service);
    }

    /** The directory with the secrets of one service. */
    private Path own(String service) {
        return secrets.directory().resolve("services").resolve(service);
    }

    private static HttpClient client(SSLContext tls) {
        return HttpClient.newBuilder()
                .sslContext(tls)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    @AfterAll
    void stop() throws Exception {
        processes.values().forEach(Process::destroy);
        for (Process process : processes.values()) {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        if (servers != null) {
            servers.stop();
        }
        if (stranger != null) {
            stranger.close();
        }
    }

    private String ok(String... command) throws IOException, InterruptedException {
        return cordwood.ok(command);
    }

    private ProcessBuilder service(String name) {
        ProcessBuilder builder = new ProcessBuilder(
                Program.root().resolve("bin/cordwood").toString(),
                "service",
                name,
                "--secrets",
                own(name).toString());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(variable -> variable.startsWith("CORDWOOD_"));
        variables.putAll(Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "CORDWOOD_BUILD",
                "never",
                "CORDWOOD_HOME",
                directory.resolve("home-" + name).toString(),
                "CORDWOOD_WAREHOUSE",
                warehouse(),
                "CORDWOOD_METRICS_PORT",
                Integer.toString(FreePort.choose())));
        if (ports.containsKey(name)) {
            variables.put("CORDWOOD_PORT", Integer.toString(ports.get(name)));
        }
        if (!name.equals("catalog")) {
            variables.putAll(Map.of(
                    "CORDWOOD_KAFKA",
                    servers.kafka(),
                    "CORDWOOD_REDIS",
                    servers.redis(),
                    "CORDWOOD_CATALOG",
                    url("catalog"),
                    "CORDWOOD_FLINK",
                    url("flink"),
                    "CORDWOOD_JOBMANAGER",
                    JOB_MANAGER,
                    "CORDWOOD_COORDINATOR",
                    url("trino"),
                    "CORDWOOD_CHECKPOINT_DIR",
                    directory.resolve("checkpoints").toString(),
                    "CORDWOOD_MAX_AGE",
                    "2",
                    "CORDWOOD_COMPACTION",
                    "interval=1s"));
        }
        for (String trino : List.of("TRINO", "TRINO_WORKER")) {
            variables.put("CORDWOOD_%s_JAVA_OPTIONS".formatted(trino), "-Xmx640m");
        }
        return builder;
    }

    private void launch(String name) throws IOException {
        processes.put(
                name,
                service(name)
                        .redirectErrorStream(true)
                        .redirectOutput(log(name).toFile())
                        .start());
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    /** Waits, as long as all processes run. */
    private void await(String what, Waiting.Condition<Exception> condition) throws Exception {
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

    @Test
    @Order(1)
    void aServiceHasItsOwnSecretsOnly() throws Exception {
        Map<String, Set<String>> files = new HashMap<>();
        try (Stream<Path> services = Files.list(secrets.directory().resolve("services"))) {
            for (Path service : services.toList()) {
                try (Stream<Path> own = Files.list(service)) {
                    Set<String> names = new TreeSet<>(
                            own.map(file -> file.getFileName().toString()).toList());
                    names.removeAll(Set.of("ca.pem", "truststore.jks"));
                    files.put(service.getFileName().toString(), names);
                }
            }
        }
        Set<String> ofQueries = Set.of("query.kafka.properties", "query.redis.password", "trino.shared-secret");
        Map<String, Set<String>> expected = new HashMap<>();
        expected.put("kafka", Set.of("kafka.pem"));
        expected.put("redis", Set.of("redis.pem", "redis-users.acl"));
        // The address of its database comes from who runs it, here this test
        expected.put("catalog", Set.of("catalog.pem", "signing-keys.json", "bootstrap.token", "catalog-db.url"));
        expected.put("flink", Set.of("flink.pem", "ingest.kafka.properties", "ingest.redis.password"));
        expected.put("flink-taskmanager", Set.of("flink.pem"));
        expected.put("compaction", Set.of("compaction.pem"));
        expected.put("balancer", Set.of("balancer.pem", "balancer.kafka.properties", "balancer.redis.password"));
        expected.put("trino", with("trino.pem", ofQueries));
        expected.put("trino-worker", with("trino-worker.pem", ofQueries));
        expected.put(
                "search", Set.of("search.pem", "query.kafka.properties", "query.redis.password", "search.cursor-key"));
        expected.put("gateway", Set.of("gateway.pem", "gateway.kafka.properties", "gateway.redis.password"));
        assertThat(files).containsExactlyInAnyOrderEntriesOf(expected);
    }

    private static Set<String> with(String name, Set<String> names) {
        Set<String> all = new TreeSet<>(names);
        all.add(name);
        return all;
    }

    @Test
    @Order(2)
    void aServiceWithoutItsTokenSaysWhatToDo() throws Exception {
        Process flink = service("flink").start();
        assertThat(new String(flink.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("cordwood service: cannot read %s: make it with `bin/cordwood secret register`%n"
                        .formatted(own("flink").resolve("ingest.token")));
        assertThat(flink.waitFor()).isEqualTo(1);
    }

    @Test
    @Order(3)
    void rowsAreShippedQueriedAndMerged() throws Exception {
        launch("catalog");
        await("the catalog answers", () -> status("catalog", "/health") == 200);
        String[] register = {
            "secret",
            "register",
            "--secrets",
            secrets.directory().toString(),
            "--kafka",
            servers.kafka(),
            "--catalog",
            url("catalog")
        };
        ok(register);
        String token = Files.readString(own("flink").resolve("ingest.token"));
        ok(register);
        assertThat(own("flink").resolve("ingest.token")).hasContent(token.strip());

        // One after the other: all at once would keep a small machine from answering anyone in time
        launch("flink");
        await("the job's cluster answers", () -> flinkAnswers("flink"));
        launch("flink-taskmanager");
        launch("trino");
        await("Trino answers", () -> text("trino", "/v1/info").contains("\"starting\":false"));
        launch("trino-worker");
        await("a worker has come", () -> rows("SELECT * FROM system.runtime.nodes WHERE NOT coordinator") == 1);
        launch("balancer");
        ok("tenant", "set", "acme", "--quota", "0");
        ship("one");
        await("the first row is found", () -> rows("SELECT * FROM cordwood.acme.logs") == 1);
        await("it is archived", () -> archived() == 1);
        ship("two");
        await("the second row is archived", () -> archived() == 2);
        // Not before: it looks at days before yesterday at its start, and then once an hour
        launch("compaction");
        await("both are in one LogBlock", () -> rows("SELECT DISTINCT \"$path\" FROM cordwood.acme.logs") == 1);
        await("the balancer answers", () -> status("balancer", "/api/routes") != 0);
        launch("search");
        await("the search service answers", () -> status("search", "/health") == 200);
        assertThat(ok("search", "one", "--tenant", "acme")).hasLineCount(1).contains(" one");
        launch("gateway");
        await("the gateway answers", () -> status("gateway", "/health") == 200);
    }

    /** Only a service of the lake is answered. Asking takes time that the cluster needs. */
    private boolean flinkAnswers(String service) throws IOException, InterruptedException {
        Thread.sleep(Duration.ofSeconds(1));
        try (HttpClient known =
                client(PemFiles.mutual(own(service).resolve(service + ".pem"), secrets.authorities()))) {
            return send(known, request(service, "/jobs/overview")).statusCode() == 200;
        } catch (ConnectException | HttpTimeoutException e) {
            return false;
        }
    }

    private long archived() throws IOException, InterruptedException {
        return rows("SELECT message FROM cordwood.acme.logs WHERE \"$tier\" = 'cold'");
    }

    /** A day that is over is merged at once. */
    private void ship(String message) throws IOException, InterruptedException {
        Instant time = Instant.now().minus(Duration.ofDays(3));
        Path file = Files.writeString(
                directory.resolve("rows.ndjson"), "{\"message\": \"%s\", \"ts\": \"%s\"}%n".formatted(message, time));
        assertThat(ok("produce", "--tenant", "acme", file.toString())).contains("1 records acknowledged");
    }

    private long rows(String sql) throws IOException, InterruptedException {
        Outcome outcome = cordwood.run("sql", "--json", sql);
        if (outcome.code() != 0) {
            // A table begins with its first row; and Trino has no workers at first
            assertThat(outcome.err()).containsAnyOf("does not exist", "starting", "nodes", "not found");
            return 0;
        }
        return outcome.out().lines().count();
    }

    /** The check of the images, with the service's secrets and no others. */
    @Test
    @Order(4)
    void healthChecksPassWithTheSecretsOfTheService() throws Exception {
        Map<String, List<String>> checks = Map.of(
                "catalog", List.of("/health", "\"up\""),
                "balancer", List.of("/api/routes", "\"version\""),
                "flink", List.of("/jobs/overview", "\"RUNNING\""),
                "compaction", List.of("/jobs/overview", "\"RUNNING\""),
                "trino", List.of("/v1/info", "\"starting\":false"),
                "trino-worker", List.of("/v1/info", "\"starting\":false"),
                "search", List.of("/health", "\"up\""),
                "gateway", List.of("/health", "\"up\""));
        for (Map.Entry<String, List<String>> check : checks.entrySet()) {
            String service = check.getKey();
            await(service + " is healthy", () -> healthy(service, check.getValue(), own(service)));
        }
        assertThat(healthy("balancer", checks.get("balancer"), own("redis")))
                .as("without a token")
                .isFalse();
    }

    private boolean healthy(String service, List<String> pathAndText, Path secretsOfOne)
            throws IOException, InterruptedException {
        ProcessBuilder check = new ProcessBuilder(
                Program.root().resolve("docker/healthy").toString(),
                Integer.toString(ports.get(service)),
                pathAndText.get(0),
                pathAndText.get(1));
        check.environment().put("CORDWOOD_SECRETS", secretsOfOne.toString());
        return check.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @Test
    @Order(5)
    void noPortAnswersAStranger() throws Exception {
        for (String path : List.of("/v1/config", "/cordwood/v1/users", "/cordwood/v1/token-rules")) {
            assertThat(status("catalog", path)).as(path).isEqualTo(401);
        }
        assertThat(status("balancer", "/api/routes")).isEqualTo(401);
        assertThat(status("balancer", "/metrics")).isEqualTo(401);
        assertThat(status("search", "/api/v1/tenants")).isEqualTo(401);
        assertThat(status("search", "/api/v1/tenants/acme/streams/logs/columns"))
                .isEqualTo(401);
        assertThat(status("search", "/metrics")).isEqualTo(404);
        assertThat(post("trino", "/v1/statement")).isEqualTo(401);
        for (String path : List.of("/v1/task", "/v1/memory")) {
            assertThat(status("trino-worker", path)).as(path).isIn(401, 403);
        }
        for (String flink : List.of("flink", "compaction")) {
            assertThatThrownBy(() -> status(flink, "/jobs/overview")).isInstanceOf(IOException.class);
        }
        try (HttpClient known =
                client(PemFiles.mutual(own("balancer").resolve("balancer.pem"), secrets.authorities()))) {
            assertThat(send(known, request("flink", "/jobs/overview")).statusCode())
                    .as("the balancer knows Flink by its certificate")
                    .isEqualTo(200);
        }
        assertThat(status(
                        "catalog",
                        "/v1/config",
                        "Bearer "
                                + Files.readString(own("flink").resolve("ingest.token"))
                                        .strip()))
                .isEqualTo(200);
        for (String service : ports.keySet()) {
            URI plain = URI.create("http://127.0.0.1:%d/".formatted(ports.get(service)));
            assertThat(plainAnswer(plain)).as(service).isNotEqualTo(200);
        }
    }

    private int plainAnswer(URI uri) throws InterruptedException {
        try {
            return send(stranger, HttpRequest.newBuilder(uri).build()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private HttpRequest request(String service, String path) {
        return builder(service, path).build();
    }

    /** A server that is starting may take a request and never answer it. */
    private HttpRequest.Builder builder(String service, String path) {
        return HttpRequest.newBuilder(URI.create(url(service) + path)).timeout(Duration.ofSeconds(10));
    }

    private int post(String service, String path) throws IOException, InterruptedException {
        return send(
                        stranger,
                        builder(service, path)
                                .header("X-Trino-User", "admin")
                                .POST(HttpRequest.BodyPublishers.ofString("SELECT 1"))
                                .build())
                .statusCode();
    }

    private int status(String service, String path, String authorization) throws IOException, InterruptedException {
        return send(
                        stranger,
                        builder(service, path)
                                .header("Authorization", authorization)
                                .build())
                .statusCode();
    }

    /** Zero while nobody answers. */
    private int status(String service, String path) throws IOException, InterruptedException {
        try {
            return send(stranger, request(service, path)).statusCode();
        } catch (ConnectException | HttpTimeoutException e) {
            return 0;
        }
    }

    private String text(String service, String path) throws IOException, InterruptedException {
        try {
            return send(stranger, request(service, path)).body();
        } catch (ConnectException | HttpTimeoutException e) {
            return "";
        }
    }

    private static HttpResponse<String> send(HttpClient http, HttpRequest request)
            throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
