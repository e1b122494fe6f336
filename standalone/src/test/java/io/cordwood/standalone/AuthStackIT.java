package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.catalog.StackCatalog;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Login;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A whole stack with authentication. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AuthStackIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private Path files;
    private Home home;
    private Secrets secrets;
    private Program cordwood;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        files = directory;
        home = new Home(directory.resolve("home"));
        secrets = new Secrets(home.secrets());
        cordwood = new Program(home.directory());
        assertThat(start()).extracting(Outcome::err).isEqualTo("");
    }

    private Outcome start() throws Exception {
        return cordwood.run("up", "--auth", "--detach", "--max-age", "5");
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    private Endpoints endpoints() {
        return Endpoints.read(home);
    }

    private CatalogClient operator() {
        return StackCatalog.connect(endpoints(), Login.of(endpoints(), Optional.empty()));
    }

    /** Makes a person with these roles in a tenant. @return a file with its token */
    private Path person(String name, String tenant, TenantRole... roles) throws IOException {
        try (CatalogClient catalog = operator()) {
            catalog.putTenant(Tenant.of(tenant));
            catalog.putUser(new User(name, false, Optional.empty(), Map.of(tenant, Set.of(roles))));
            return Files.writeString(
                    files.resolve(name + ".token"), catalog.createToken(name).token());
        }
    }

    private Path lines(String name, String... lines) throws IOException {
        return Files.write(files.resolve(name), List.of(lines));
    }

    private static <T> T await(Callable<T> question, java.util.function.Predicate<T> enough) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        T answer = question.call();
        while (!enough.test(answer)) {
            assertThat(System.nanoTime())
                    .as("no good answer in time, the last is %s", answer)
                    .isLessThan(end);
            Thread.sleep(500);
            answer = question.call();
        }
        return answer;
    }

    @Test
    @Order(1)
    void endpointsAreEncryptedAndStatusAsksThem() throws Exception {
        JsonNode endpoints = JSON.readTree(home.endpoints().toFile());
        for (String service : List.of("catalog", "flink", "compaction", "balancer", "trino")) {
            assertThat(endpoints.path(service).asText()).as(service).startsWith("https://");
        }
        assertThat(endpoints.path("redis").asText()).startsWith("rediss://").doesNotContain("@");
        assertThat(endpoints.path("ca").asText())
                .isEqualTo(home.secrets().resolve("ca.pem").toString());

        Outcome status = cordwood.run("status");
        assertThat(status.err()).isEmpty();
        assertThat(status.code()).isZero();
        assertThat(status.out())
                .contains("ingest job running for ")
                .contains("stream logs: 0 records not yet archived")
                .doesNotContain("without authentication");
    }

    @Test
    @Order(1)
    void secretsAreForTheirOwnerOnly() throws Exception {
        assertThat(mode(home.directory())).isEqualTo("rwx------");
        assertThat(mode(home.secrets())).isEqualTo("rwx------");
        try (Stream<Path> all = Files.list(home.secrets())) {
            assertThat(all)
                    .hasSizeGreaterThan(20)
                    .allSatisfy(
                            file -> assertThat(mode(file)).as(file.toString()).isEqualTo("rw-------"));
        }
        assertThat(home.secrets().toFile().list())
                .contains(
                        "ca.pem",
                        "operator.token",
                        "bootstrap.token",
                        "ingest.token",
                        "compactor.token",
                        "query.token",
                        "balancer.token");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    @Order(2)
    void personsShipAndReadTheirOwnTenant() throws Exception {
        Path acme = person("alice", "acme", TenantRole.READER, TenantRole.WRITER);
        Path globex = person("bob", "globex", TenantRole.READER);

        Outcome shipped = cordwood.run(
                "produce",
                "--tenant",
                "acme",
                "--token-file",
                acme.toString(),
                lines("acme.log", "one", "two").toString());
        assertThat(shipped.err()).isEmpty();
        assertThat(shipped.out()).contains("2 records acknowledged");

        Outcome own = await(
                () -> sql(acme, "SELECT count(*) AS n FROM cordwood.acme.logs"),
                outcome -> outcome.out().contains("\"n\":2"));
        assertThat(own.code()).isZero();
        Outcome others = sql(globex, "SELECT count(*) AS n FROM cordwood.acme.logs");
        assertThat(others.code()).isNotZero();
        assertThat(others.err()).containsIgnoringCase("denied");
        assertThat(cordwood.run("sql", "--json", "SELECT count(*) AS n FROM cordwood.acme.logs")
                        .out())
                .contains("\"n\":2");
        Outcome reader = cordwood.run(
                "produce",
                "--tenant",
                "globex",
                "--token-file",
                globex.toString(),
                lines("globex.log", "x").toString());
        assertThat(reader.code()).as("a reader ships nothing").isNotZero();
    }

    private Outcome sql(Path token, String sql) throws Exception {
        return cordwood.run("sql", "--json", "--token-file", token.toString(), sql);
    }

    @Test
    @Order(2)
    void tokensForRecordsShipAndDoNothingElse() throws Exception {
        Path agent = files.resolve("agent.token");
        try (CatalogClient catalog = operator()) {
            catalog.putTenant(Tenant.of("initech"));
            Files.writeString(
                    agent,
                    catalog.createToken(
                                    catalog.whoami().user().name(),
                                    new TokenRequest(
                                            Optional.of(new Token.Scope("initech", TenantRole.WRITER, Set.of("logs"))),
                                            Optional.empty()))
                            .token());
        }
        assertThat(cordwood.run(
                                "produce",
                                "--tenant",
                                "initech",
                                "--token-file",
                                agent.toString(),
                                lines("initech.log", "one").toString())
                        .out())
                .contains("1 records acknowledged");
        await(
                () -> cordwood.run("sql", "--json", "SELECT count(*) AS n FROM cordwood.initech.logs"),
                outcome -> outcome.out().contains("\"n\":1"));
        assertThat(cordwood.run("tenant", "list", "--token-file", agent.toString())
                        .code())
                .isNotZero();
    }

    @Test
    @Order(3)
    void commandsOfTheOperatorNeedNoFurtherOptions() throws Exception {
        assertThat(cordwood.run("tenant", "set", "acme", "--retention", "30").err())
                .isEmpty();
        assertThat(cordwood.run("tenant", "list").out()).contains("acme");
        Process tail = cordwood.start("tail", "--tenant", "acme", "--lines", "2", "--json");
        try {
            assertThat(tail.inputReader().readLine()).contains("one");
            assertThat(tail.inputReader().readLine()).contains("two");
        } finally {
            tail.destroy();
            tail.waitFor();
        }
        Outcome compacted = cordwood.run("compact", "--tenant", "acme");
        assertThat(compacted.code()).as(compacted.err()).isZero();
    }

    @Test
    @Order(3)
    void attack40FlinkAndTheBalancerAnswerNobodyWithoutIdentity() throws Exception {
        try (HttpClient stranger = client(Optional.empty());
                HttpClient operator = client(Optional.of(secrets.certificate("operator")))) {
            for (String flink : List.of(endpoints().flink(), endpoints().compaction())) {
                URI jobs = URI.create(flink + "/jobs/overview");
                assertThatThrownBy(() -> send(stranger, jobs, Optional.empty())).isInstanceOf(IOException.class);
                assertThat(send(operator, jobs, Optional.empty()).statusCode()).isEqualTo(200);
                URI plain = URI.create(jobs.toString().replace("https:", "http:"));
                assertThat(send(stranger, plain, Optional.empty()).statusCode())
                        .as("only the way to https")
                        .isBetween(300, 399);
            }
            URI routes = URI.create(endpoints().balancer() + "/api/routes");
            assertThat(send(stranger, routes, Optional.empty()).statusCode()).isEqualTo(401);
            assertThat(send(stranger, routes, Optional.of("guessed")).statusCode())
                    .isEqualTo(401);
            assertThat(send(stranger, URI.create(endpoints().balancer() + "/metrics"), Optional.empty())
                            .statusCode())
                    .isEqualTo(401);
            String person = Files.readString(person("carol", "acme", TenantRole.READER));
            assertThat(send(stranger, routes, Optional.of(person)).statusCode()).isEqualTo(403);
            String token = Files.readString(secrets.operatorToken()).strip();
            assertThat(send(stranger, routes, Optional.of(token)).statusCode()).isEqualTo(200);
        }
    }

    private HttpClient client(Optional<Path> certificate) throws IOException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(
                        certificate.isPresent()
                                ? PemFiles.mutual(certificate.get(), secrets.authorities())
                                : PemFiles.trusting(secrets.authorities()))
                .build();
    }

    private static HttpResponse<String> send(HttpClient http, URI uri, Optional<String> token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10));
        token.ifPresent(present -> request.header("Authorization", "Bearer " + present));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @Order(4)
    void secretsAndUsersOutliveARestart() throws Exception {
        List<String> before = contents();
        String revoked = Files.readString(secrets.token("compactor")).strip();
        try (CatalogClient catalog = operator()) {
            catalog.revokeToken(SigningKeys.read(secrets.signingKeys())
                    .publicKeys()
                    .verify(revoked)
                    .id());
        }
        assertThat(cordwood.run("down").code()).isZero();
        assertThat(cordwood.run("up", "--detach").err()).contains("is a home with authentication: give --auth");
        assertThat(start().err()).isEmpty();
        assertThat(contents()).isEqualTo(before);
        assertThat(Files.readString(secrets.token("compactor")).strip())
                .as("a token that was revoked is replaced")
                .isNotEqualTo(revoked);
        await(
                () -> cordwood.run("sql", "--json", "SELECT count(*) AS n FROM cordwood.acme.logs"),
                outcome -> outcome.out().contains("\"n\":2"));
    }

    private List<String> contents() throws IOException {
        List<String> contents = new ArrayList<>();
        for (String name :
                List.of("ca.pem", "kafka.pem", "signing-keys.json", "operator.token", "ingest.token", "query.token")) {
            contents.add(Files.readString(home.secrets().resolve(name)));
        }
        return contents;
    }

    @Test
    @Order(5)
    void noSecretIsInArgumentsEnvironmentsOrLogs() throws Exception {
        List<String> texts = new ArrayList<>();
        for (Account account : Account.values()) {
            texts.add(secrets.kafkaPassword(account));
            texts.add(secrets.redisPassword(account));
        }
        texts.add(secrets.sharedSecret());
        try (Stream<Path> tokens = Files.list(home.secrets())) {
            for (Path token :
                    tokens.filter(file -> file.toString().endsWith(".token")).toList()) {
                texts.add(Files.readString(token).strip());
            }
        }
        try (Stream<Path> tokens = Files.list(files)) {
            for (Path token :
                    tokens.filter(file -> file.toString().endsWith(".token")).toList()) {
                texts.add(Files.readString(token).strip());
            }
        }
        texts.add(JSON.readTree(secrets.signingKeys().toFile())
                .path("keys")
                .path(0)
                .path("d")
                .asText());
        assertThat(texts).allSatisfy(text -> assertThat(text).hasSizeGreaterThan(20));

        List<Path> places = new ArrayList<>();
        try (Stream<Path> logs = Files.walk(home.logs())) {
            logs.filter(Files::isRegularFile).forEach(places::add);
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
        assertThat(places).hasSizeGreaterThan(20);
        for (Path place : places) {
            String content = new String(Files.readAllBytes(place), StandardCharsets.ISO_8859_1);
            for (String text : texts) {
                assertThat(content.contains(text)).as("a secret in %s", place).isFalse();
            }
        }
    }
}
