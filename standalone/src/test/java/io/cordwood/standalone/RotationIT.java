package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.identity.Audience;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.SigningKeys;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.ClientProperties;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets of a stack are replaced while rows are shipped and queried. Queries fail only while Trino starts again, for
 * the authority's sake, and then no longer than {@link #LONGEST_OUTAGE}.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RotationIT {
    /** Within it, a query that is repeated once a second succeeds again: Trino's restart, on a machine that is busy. */
    private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(5);

    /** Until a token that was revoked is refused in records. */
    private static final Duration REVOCATION = Duration.ofSeconds(11);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Set<String> seen = new HashSet<>();
    private Path files;
    private Home home;
    private Secrets secrets;
    private Program cordwood;
    private Endpoints endpoints;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        files = directory;
        home = new Home(directory.resolve("home"));
        secrets = new Secrets(home.secrets());
        cordwood = new Program(home.directory());
        assertThat(cordwood.run("up", "--auth", "--detach", "--max-age", "5"))
                .extracting(Outcome::err)
                .isEqualTo("");
        endpoints = Endpoints.read(home);
        ok("tenant", "set", "acme", "--quota", "0");
        ok("tenant", "set", "globex", "--quota", "0");
        ok("user", "add", "ann");
        ok("user", "grant", "ann", "--tenant", "acme", "--role", "reader,writer");
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    private String ok(String... command) {
        return cordwood.callOk(command);
    }

    private String failed(String... command) {
        Outcome outcome = cordwood.call(command);
        assertThat(outcome.code()).as("%s", List.of(command)).isEqualTo(1);
        return outcome.err();
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void noRowIsLostAndNoQueryFailsForLong() throws Exception {
        remember();
        Path reader = newToken("reader.token");
        Path writer = newToken("writer.token", "--tenant", "acme", "--for", "records");
        Properties kafka = secrets.kafkaClient(Account.PRODUCER);
        try (CountedLoad load = new CountedLoad(endpoints, kafka, secrets.authorities(), "ann", reader, writer)) {
            Waiting.until("rows are found", () -> load.rowsFound() > 0);

            tokens(load, reader, writer);
            aShipmentOutlivesTheTokenThatItBeganWith();
            aKilledRotationIsCompleted();
            passwords();
            assertThat(load.longestOutage())
                    .as("no query has failed: %s", load.lastFailure())
                    .isEqualTo(Duration.ZERO);

            authority();
            long sent = load.stopSending();
            Waiting.until("all %d rows are found".formatted(sent), () -> load.rowsFound() >= sent);
            assertThat(load.rowsFound()).as("each row once").isEqualTo(sent);
            assertThat(load.distinctRowsFound()).as("each row once").isEqualTo(sent);
            assertThat(load.lost()).as("rows that Kafka refused for good").isEmpty();
            assertThat(load.longestOutage()).isLessThan(LONGEST_OUTAGE);
            System.out.printf(
                    "%d rows, %d queries, %d of them failed, longest outage %s%n",
                    sent, load.queries(), load.failures(), load.longestOutage());
        }
        remember();
        assertNoSecretIsShown();
    }

    private Path newToken(String file, String... options) throws IOException {
        String[] command = Stream.concat(Stream.of("token", "create", "--user", "ann"), Stream.of(options))
                .toArray(String[]::new);
        Path next = Files.writeString(files.resolve(file + ".next"), ok(command));
        seen.add(Files.readString(next).strip());
        return Files.move(
                next, files.resolve(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void tokens(CountedLoad load, Path reader, Path writer) throws Exception {
        String ingest = Files.readString(secrets.token("ingest")).strip();
        String operator = Files.readString(secrets.operatorToken()).strip();
        String ann = Files.readString(reader).strip();
        String id = id(ann);
        assertThat(ok(
                        "secret",
                        "rotate",
                        "ingest.token",
                        "query.token",
                        "search.token",
                        "gateway.token",
                        "operator.token",
                        "signing-keys"))
                .contains("ingest.token is replaced", "operator.token is replaced", "signing-keys is replaced");
        newToken(reader.getFileName().toString());
        newToken(writer.getFileName().toString(), "--tenant", "acme", "--for", "records");
        long queries = load.queries();
        Waiting.until("queries come with the new token", () -> load.queries() >= queries + 2);
        ok("token", "revoke", id);
        for (String old : List.of(ingest, operator, ann)) {
            assertThatThrownBy(() -> whoami(old))
                    .isInstanceOf(CatalogException.class)
                    .hasMessageContaining("revoked");
        }
        assertThat(whoami(Files.readString(secrets.token("ingest")).strip())).isEqualTo("ingest");
        assertThat(cordwood.call("user", "list", "--token-file", reader.toString())
                        .err())
                .doesNotContain("revoked");
        remember();
    }

    private void aShipmentOutlivesTheTokenThatItBeganWith() throws Exception {
        Process shipment = cordwood.start("produce", "--tenant=globex");
        try (Writer lines = shipment.outputWriter()) {
            lines.write("before\n");
            lines.flush();
            Waiting.until("the first row is found", () -> rowsOfGlobex() == 1);
            ok("secret", "rotate", "operator.token");
            Thread.sleep(REVOCATION);
            lines.write("after\n");
        }
        assertThat(shipment.waitFor())
                .as(() -> shipment.errorReader().lines().collect(Collectors.joining("\n")))
                .isZero();
        Waiting.until("the second row is found", () -> rowsOfGlobex() == 2);
    }

    private int rowsOfGlobex() {
        return cordwood.call("sql", "--json", "SELECT 1 FROM cordwood.globex.logs")
                        .out()
                        .split("\\{", -1)
                        .length
                - 1;
    }

    private String whoami(String token) {
        try (CatalogClient catalog = CatalogClient.connect(
                URI.create(endpoints.catalog()),
                Map.of(CatalogClient.CA_FILE, secrets.authorities().toString(), CatalogClient.TOKEN, token))) {
            return catalog.whoami().user().name();
        }
    }

    private String id(String token) throws Exception {
        return SigningKeys.read(secrets.signingKeys())
                .publicKeys()
                .verify(token, Audience.REQUESTS)
                .id();
    }

    private void aKilledRotationIsCompleted() throws Exception {
        Process rotation = cordwood.start("secret", "rotate", "compactor.token");
        Waiting.until(
                "the token is being replaced", () -> Files.exists(home.secrets().resolve("compactor.token.old")));
        assertThat(failed("secret", "rotate", "balancer.token")).contains("another rotation of secrets is under way");
        rotation.destroyForcibly().waitFor();
        assertThat(ok("secret", "list")).contains("half replaced: rotate it again");
        ok("secret", "rotate", "compactor.token");
        assertThat(ok("secret", "list")).doesNotContain("half replaced");
    }

    private void passwords() throws Exception {
        Properties old = ClientProperties.load(secrets.kafkaProperties(Account.PRODUCER));
        old.setProperty("bootstrap.servers", endpoints.kafka());
        assertThat(ok(
                        "secret",
                        "rotate",
                        "ingest.kafka.password",
                        "query.kafka.password",
                        "balancer.kafka.password",
                        "producer.kafka.password",
                        "admin.kafka.password",
                        "producer.redis.password",
                        "balancer.redis.password",
                        "admin.redis.password",
                        "kafka.pem",
                        "redis.pem",
                        "catalog.pem",
                        "trino.pem",
                        "search.pem",
                        "search.cursor-key",
                        "gateway.kafka.password",
                        "gateway.redis.password",
                        "gateway.pem"))
                .contains("admin.kafka.password is replaced", "redis.pem is replaced", "trino.pem is replaced");
        try (Admin admin = Admin.create(old)) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
        }
        Properties now = ClientProperties.load(secrets.kafkaProperties(Account.PRODUCER));
        now.setProperty("bootstrap.servers", endpoints.kafka());
        try (Admin admin = Admin.create(now)) {
            assertThat(admin.describeCluster().nodes().get()).isNotEmpty();
        }
        remember();
    }

    private void authority() throws Exception {
        Path old = Files.copy(secrets.authorities(), files.resolve("old-ca.pem"));
        Path oldOperator = Files.copy(secrets.certificate("operator"), files.resolve("old-operator.pem"));
        assertThat(ok("secret", "rotate", "ca")).contains("ca is replaced");

        SSLContext now = secrets.operatorTls();
        SSLContext before = PemFiles.mutual(secrets.certificate("operator"), old);
        Map<String, Integer> ports = JSON.readValue(home.ports().toFile(), new TypeReference<>() {});
        for (String service : List.of(
                "kafka",
                "kafka-controller",
                "redis",
                "catalog",
                "trino",
                "search",
                "gateway",
                "flink",
                "compaction",
                "balancer")) {
            assertThat(shakesHands(now, ports.get(service))).as(service).isTrue();
            assertThat(shakesHands(before, ports.get(service)))
                    .as("%s for those who trust only the old authority", service)
                    .isFalse();
        }
        URI jobs = URI.create(endpoints.flink() + "/jobs/overview");
        assertThat(status(secrets.operatorTls(), jobs)).isEqualTo(200);
        assertThatThrownBy(() -> status(PemFiles.mutual(oldOperator, secrets.authorities()), jobs))
                .as("a certificate of the old authority")
                .isInstanceOf(IOException.class);
        assertThat(cordwood.call("status").out()).contains("ingest job running for ");
    }

    private static boolean shakesHands(SSLContext tls, int port) throws IOException {
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.startHandshake();
            return true;
        } catch (SSLException e) {
            return false;
        }
    }

    private static int status(SSLContext tls, URI uri) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .build()) {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    /** Notes the secrets of this time, for the search in logs and arguments. */
    private void remember() throws IOException {
        for (Account account : Account.values()) {
            seen.add(secrets.kafkaPassword(account));
            seen.add(secrets.redisPassword(account));
        }
        try (Stream<Path> tokens = Files.list(home.secrets())) {
            for (Path token :
                    tokens.filter(file -> file.toString().endsWith(".token")).toList()) {
                seen.add(Files.readString(token).strip());
            }
        }
        JSON.readTree(secrets.signingKeys().toFile())
                .path("keys")
                .forEach(key -> seen.add(key.path("d").asText()));
    }

    private void assertNoSecretIsShown() throws IOException {
        assertThat(seen)
                .hasSizeGreaterThan(25)
                .allSatisfy(text -> assertThat(text).hasSizeGreaterThan(20));
        List<Path> places;
        try (Stream<Path> logs = Files.walk(home.logs())) {
            places = new ArrayList<>(logs.filter(Files::isRegularFile).toList());
        }
        ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .orElse("")
                        .contains(home.directory().toString()))
                .forEach(process -> {
                    places.add(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
                    places.add(Path.of("/proc", Long.toString(process.pid()), "environ"));
                });
        for (Path place : places) {
            String content = new String(Files.readAllBytes(place), StandardCharsets.ISO_8859_1);
            for (String text : seen) {
                assertThat(content.contains(text)).as("a secret in %s", place).isFalse();
            }
        }
    }
}
