package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users and tokens from the command line, on a catalog service with authentication, and on one without. */
final class UserCommandIT {
    @TempDir
    private Path directory;

    private Home home;
    private Secrets secrets;
    private SigningKeys keys;
    private CatalogServer server;
    private CatalogClient admin;

    private record Run(int code, String out, String err) {}

    @BeforeEach
    void start() throws Exception {
        home = new Home(directory);
        home.create();
        secrets = new Secrets(directory.resolve("secrets"));
        secrets.prepare("127.0.0.1:1");
        keys = SigningKeys.read(secrets.signingKeys());
        serve(Optional.of(new CatalogServerOptions.Authentication(
                secrets.bootstrapToken(), secrets.signingKeys(), Optional.empty())));
        Map<String, String> trusting =
                Map.of(CatalogClient.CA_FILE, secrets.authorities().toString());
        String token = CatalogClient.bootstrap(
                        server.uri(),
                        trusting,
                        Files.readString(secrets.bootstrapToken()).strip(),
                        "admin")
                .token();
        Files.writeString(secrets.operatorToken(), token + "\n");
        Map<String, String> properties = new HashMap<>(trusting);
        properties.put(CatalogClient.TOKEN, token);
        admin = CatalogClient.connect(server.uri(), properties);
    }

    private void serve(Optional<CatalogServerOptions.Authentication> authentication) throws Exception {
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of(),
                authentication,
                authentication.map(any -> secrets.certificate("catalog")),
                OptionalInt.empty(),
                Optional.empty()));
        String authorities =
                authentication.map(any -> secrets.authorities().toString()).orElse("");
        new Endpoints("", "", server.uri().toString(), "", "", "", "", "", "", "", "", "", authorities).write(home);
    }

    @AfterEach
    void stop() {
        admin.close();
        server.close();
    }

    @Test
    void usersAreAddedGrantedRevokedAndRemoved() {
        assertThat(ok("user", "add", "alice")).isEmpty();
        assertThat(ok("user", "add", "root", "--operator")).isEmpty();
        ok("user", "grant", "alice", "--tenant", "acme", "--role", "reader,writer");
        ok("user", "grant", "alice", "--tenant", "beta", "--role", "deleter");
        ok("user", "grant", "alice", "--tenant", "acme", "--role", "deleter");
        assertThat(admin.user("alice").orElseThrow())
                .isEqualTo(User.person(
                        "alice", Map.of("acme", Set.of(TenantRole.values()), "beta", Set.of(TenantRole.DELETER))));
        ok("user", "revoke", "alice", "--tenant", "acme", "--role", "deleter");
        ok("user", "revoke", "alice", "--tenant", "beta");
        assertThat(ok("user", "list"))
                .containsPattern("alice +\\| person +\\| acme: reader, writer")
                .containsPattern("root +\\| operator")
                .doesNotContain("beta");
        assertThat(failed("user", "revoke", "alice", "--tenant", "beta")).contains("has no role in tenant beta");
        assertThat(failed("user", "add", "alice")).contains("there is a user alice already");
        assertThat(failed("user", "grant", "bob", "--tenant", "acme", "--role", "reader"))
                .contains("there is no user bob: add one");
        assertThat(failed("user", "kafka-login", "alice")).contains("can make a login in Kafka");
        ok("user", "remove", "alice");
        assertThat(failed("user", "remove", "alice")).contains("there is no user alice");
        assertThat(failed("user", "remove", "nobody")).hasLineCount(1);
    }

    @Test
    void theTokenAloneIsOnStandardOutput() throws Exception {
        ok("user", "add", "alice");
        ok("user", "grant", "alice", "--tenant", "acme", "--role", "writer");
        Run run = run(
                "token",
                "create",
                "--user",
                "alice",
                "--tenant",
                "acme",
                "--for",
                "records",
                "--stream",
                "logs",
                "--expires",
                "12h");
        assertThat(run.code()).as(run.err()).isZero();
        Token token = keys.publicKeys().verify(run.out().strip(), Audience.RECORDS);
        assertThat(run.out()).hasLineCount(1);
        assertThat(run.err())
                .contains("token revoke " + token.id())
                .doesNotContain(run.out().strip());
        assertThat(token.ships("acme", "logs")).isTrue();
        assertThat(token.ships("acme", "others")).isFalse();
        assertThat(Duration.between(token.issued(), token.expires())).isEqualTo(Duration.ofHours(12));
        assertThat(ok("token", "list", "--user", "alice"))
                .containsPattern(token.id() + " +\\| alice +\\| records, writer of acme, logs")
                .doesNotContain(run.out().strip());
        ok("token", "revoke", token.id());
        assertThat(ok("token", "list", "--user", "alice")).contains("revoked");
        assertThat(failed("token", "create", "--user", "alice", "--tenant", "beta", "--role", "writer"))
                .contains("is no writer of tenant 'beta'");
    }

    @Test
    void aTokenIsExchangedForAShortOne() throws Exception {
        ok("user", "add", "alice");
        Run run = run("token", "exchange");
        assertThat(run.code()).as(run.err()).isZero();
        Token token = keys.publicKeys().verify(run.out().strip(), Audience.REQUESTS);
        assertThat(token.user()).isEqualTo("admin");
        assertThat(Duration.between(token.issued(), token.expires())).isEqualTo(Duration.ofHours(1));
        assertThat(run.err()).contains("good for 3").doesNotContain(run.out().strip());
    }

    @Test
    void theGivenTokenWinsOverThatOfTheHome() throws Exception {
        ok("user", "add", "alice");
        String token = run("token", "create", "--user", "alice").out();
        Path file = Files.writeString(directory.resolve("alice.token"), token);
        assertThat(ok("token", "list", "--token-file", file.toString()))
                .contains("alice")
                .doesNotContain("admin");
        assertThat(failed("user", "list", "--token-file", file.toString())).contains("is not an operator");
        assertThat(failed(
                        "user",
                        "list",
                        "--token-file",
                        directory.resolve("none").toString()))
                .contains("--token-file FILE");
        Files.delete(secrets.operatorToken());
        assertThat(failed("user", "list")).contains("the stack asks for a token");
    }

    @Test
    void anOpenStackHasUsersAndNoTokens() throws Exception {
        server.close();
        Files.delete(secrets.operatorToken());
        serve(Optional.empty());
        ok("user", "add", "alice");
        ok("user", "grant", "alice", "--tenant", "acme", "--role", "reader");
        assertThat(ok("user", "list")).contains("acme: reader");
        assertThat(failed("token", "create", "--user", "alice")).contains("has no authentication");
    }

    private String ok(String... arguments) {
        Run run = run(arguments);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return run.out();
    }

    private String failed(String... arguments) {
        Run run = run(arguments);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    private Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--home", directory.toString()));
        int code = Cordwood.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new Run(code, out.toString(), err.toString());
    }
}
