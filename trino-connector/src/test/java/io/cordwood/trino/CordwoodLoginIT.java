package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.inject.Key;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.services.OwnCertificate;
import io.cordwood.services.Waiting;
import io.cordwood.trino.GateFunction.Gate;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.security.HeaderAuthenticatorManager;
import io.trino.server.security.PasswordAuthenticatorManager;
import io.trino.server.testing.FactoryConfiguration;
import io.trino.server.testing.TestingTrinoServer;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who gets in at a Trino with TLS, logins by token, the rules of {@code etc/access-rules.json} and limits of users, and
 * what an insider finds there. The numbers are those of the list of attacks in the threat model; each attack has a twin
 * that is allowed.
 */
class CordwoodLoginIT {
    private static final String ROOT = "root";
    private static final String ALICE = "alice";
    private static final String BOB = "bob";

    @TempDir
    private static Path home;

    private static CatalogServer server;
    private static CatalogClient catalog;
    private static TestingTrinoServer trino;
    private static Path authorities;
    private static final Map<String, String> TOKENS = new HashMap<>();

    @BeforeAll
    static void start() throws Exception {
        Path own = OwnCertificate.create(home, "own").own();
        authorities = own;
        Path bootstrap = Files.writeString(home.resolve("bootstrap.token"), "a secret of the installation");
        Path keys = Files.writeString(
                home.resolve("keys.json"), SigningKeys.create().toJson());
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("warehouse").toString(),
                Map.of(),
                Optional.of(new CatalogServerOptions.Authentication(bootstrap, keys, Optional.empty())),
                Optional.of(own),
                OptionalInt.empty(),
                Optional.empty()));
        Map<String, String> trust = Map.of(CatalogClient.CA_FILE, authorities.toString());
        TOKENS.put(
                ROOT,
                CatalogClient.bootstrap(server.uri(), trust, "a secret of the installation", ROOT)
                        .token());
        catalog = CatalogClient.connect(
                server.uri(),
                Map.of(CatalogClient.TOKEN, TOKENS.get(ROOT), CatalogClient.CA_FILE, authorities.toString()));
        SampleTables tables = new SampleTables(catalog, CordwoodQueryRunner.SMALL_BLOCKS);
        for (String tenant : List.of("acme", "globex")) {
            tables.write(
                    tenant,
                    "logs",
                    0,
                    SampleLogs.COLUMNS,
                    List.of(SampleRow.of("2026-01-10T00:00:00Z", "level", "INFO")));
        }
        addUser(User.person(ALICE, Map.of("acme", Set.of(TenantRole.READER))));
        addUser(User.person(BOB, Map.of("globex", Set.of(TenantRole.DELETER))));
        addUser(User.service(ServiceRole.QUERY));
        startTrino(own);
    }

    private static void addUser(User user) {
        catalog.putUser(user);
        TOKENS.put(user.name(), catalog.createToken(user.name()).token());
    }

    private static void startTrino(Path own) throws Exception {
        Map<String, String> login = Map.of(
                "cordwood.catalog-uri",
                server.uri().toString(),
                "cordwood.catalog-token-file",
                Files.writeString(home.resolve("query.token"), TOKENS.get("query"))
                        .toString(),
                "cordwood.catalog-ca-file",
                authorities.toString());
        trino = TestingTrinoServer.builder()
                .setProperties(Map.of(
                        "http-server.https.enabled",
                        "true",
                        "http-server.https.port",
                        "0",
                        "http-server.https.keystore.path",
                        own.toString(),
                        "http-server.authentication.type",
                        "PASSWORD,HEADER",
                        "password-authenticator.config-files",
                        properties("password-authenticator", "password-authenticator.name", login),
                        "header-authenticator.config-files",
                        properties("header-authenticator", "header-authenticator.name", login)))
                .setSystemAccessControls(Optional.empty())
                .setSystemAccessControlConfiguration(Optional.of(new FactoryConfiguration(
                        "file",
                        Map.of(
                                "security.config-file",
                                Path.of("etc", "access-rules.json").toString()))))
                .build();
        trino.installPlugin(new CordwoodPlugin());
        trino.installPlugin(new GateFunction.GatePlugin());
        trino.installPlugin(new TpchPlugin());
        trino.getInstance(Key.get(PasswordAuthenticatorManager.class)).loadPasswordAuthenticator();
        trino.getInstance(Key.get(HeaderAuthenticatorManager.class)).loadHeaderAuthenticator();
        trino.getGroupProvider().setConfiguredGroupProvider("cordwood", login);
        trino.getResourceGroupManager()
                .orElseThrow()
                .setConfigurationManager("cordwood", Map.of("cordwood.user-running-queries", "2"));
        Map<String, String> connector = new HashMap<>(login);
        connector.put("cordwood.access-rules-cache-ttl", "1ms");
        trino.createCatalog("cordwood", "cordwood", connector);
        // Any catalog beside ours: its rules are those of one by Iceberg.
        trino.createCatalog("iceberg", "tpch");
    }

    private static String properties(String file, String name, Map<String, String> login) throws Exception {
        List<String> lines = new ArrayList<>(List.of(name + "=cordwood"));
        login.forEach((key, value) -> lines.add(key + "=" + value));
        return Files.write(home.resolve(file + ".properties"), lines).toString();
    }

    @AfterAll
    static void stop() throws Exception {
        trino.close();
        catalog.close();
        server.close();
    }

    private static Connection connect(Map<String, String> login) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(login);
        properties.setProperty("SSL", "true");
        properties.setProperty("SSLTrustStorePath", authorities.toString());
        return DriverManager.getConnection(
                "jdbc:trino://127.0.0.1:%d/cordwood"
                        .formatted(trino.getHttpsAddress().getPort()),
                properties);
    }

    private static Map<String, String> password(String user, String password) {
        return Map.of("user", user, "password", password);
    }

    private static List<String> rows(Map<String, String> login, String sql) throws SQLException {
        try (Connection connection = connect(login);
                Statement statement = connection.createStatement()) {
            return rows(statement, sql);
        }
    }

    private static List<String> rows(Statement statement, String sql) throws SQLException {
        if (!statement.execute(sql)) {
            return List.of();
        }
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.getResultSet()) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    private static List<String> as(String user, String sql) throws SQLException {
        return rows(password(user, TOKENS.get(user)), sql);
    }

    private static HttpResponse<String> http(String method, String path, Map<String, String> headers, String body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:%d%s"
                        .formatted(trino.getHttpsAddress().getPort(), path)))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(PemFiles.trusting(authorities))
                .build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private static String bearer(String user) {
        return "Bearer " + TOKENS.get(user);
    }

    private static int statementStatus(Map<String, String> headers) throws Exception {
        return http("POST", "/v1/statement", headers, "SELECT 1").statusCode();
    }

    @Test
    void attack21SqlNeedsAToken() throws Exception {
        assertThat(statementStatus(Map.of())).isEqualTo(401);
        assertThat(statementStatus(Map.of("X-Trino-User", ALICE))).isEqualTo(401);
        for (String authorization : List.of(
                basic(ALICE, ""),
                basic(ALICE, "secret"),
                basic(BOB, TOKENS.get(ALICE)),
                basic("query", TOKENS.get("query")),
                bearer(ALICE) + "x",
                bearer("query"))) {
            assertThat(statementStatus(Map.of("Authorization", authorization, "X-Trino-User", ALICE)))
                    .isEqualTo(401);
        }
        for (String path : List.of("/v1/query", "/v1/query/x", "/v1/task/x")) {
            assertThat(http("GET", path, Map.of("X-Trino-User", ALICE), "").statusCode())
                    .as(path)
                    .isIn(401, 403);
        }
        // Without TLS no password is taken.
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> plain = client.send(
                    HttpRequest.newBuilder(trino.resolve("/v1/statement"))
                            .header("Authorization", bearer(ALICE))
                            .POST(HttpRequest.BodyPublishers.ofString("SELECT 1"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(plain.statusCode()).isIn(401, 403);
        }
        assertThat(statementStatus(Map.of("Authorization", basic(ALICE, TOKENS.get(ALICE)))))
                .isEqualTo(200);
        assertThat(statementStatus(Map.of("Authorization", bearer(ALICE)))).isEqualTo(200);
        assertThat(as(ALICE, "SELECT count(*) FROM acme.logs")).containsExactly("1");
        assertThat(rows(Map.of("accessToken", TOKENS.get(ALICE)), "SELECT current_user"))
                .containsExactly(ALICE);
    }

    @Test
    void aTokenThatIsLimitedToATenantIsNoLogin() {
        String limited = catalog.createToken(ALICE, TokenRequest.of("acme", TenantRole.READER))
                .token();
        assertThatThrownBy(() -> rows(password(ALICE, limited), "SELECT 1"))
                .hasMessageContaining("limited to tenant 'acme'");
    }

    @Test
    void aRevokedTokenIsRefusedWithinFiveSeconds() throws Exception {
        IssuedToken token = catalog.createToken(ALICE);
        assertThat(rows(password(ALICE, token.token()), "SELECT 1")).containsExactly("1");
        catalog.revokeToken(token.id());
        Instant until = Instant.now().plusSeconds(5);
        Throwable refusal = null;
        while (refusal == null && Instant.now().isBefore(until)) {
            refusal = catchThrowable(() -> rows(password(ALICE, token.token()), "SELECT 1"));
        }
        assertThat(refusal).isNotNull().hasMessageContaining("revoked");
        assertThat(as(ALICE, "SELECT 1")).containsExactly("1");
    }

    @Test
    void attack22NobodyQueriesInAnotherName() throws Exception {
        assertThat(http("GET", "/v1/query", Map.of("Authorization", bearer(ALICE), "X-Trino-User", BOB), "")
                        .statusCode())
                .isGreaterThanOrEqualTo(400);
        // A statement fails when its client asks for its outcome.
        for (String user : List.of(BOB, ROOT)) {
            assertThatThrownBy(() -> rows(
                            Map.of("user", ALICE, "password", TOKENS.get(ALICE), "sessionUser", user),
                            "SELECT current_user"))
                    .hasMessageContaining("cannot impersonate");
            assertThatThrownBy(() -> rows(
                            Map.of("user", BOB, "password", TOKENS.get(BOB), "sessionUser", "view of: " + user),
                            "SELECT current_user"))
                    .hasMessageContaining("cannot impersonate");
        }
        assertThat(rows(
                        Map.of("user", ALICE, "password", TOKENS.get(ALICE), "sessionUser", ALICE),
                        "SELECT current_user"))
                .containsExactly(ALICE);
    }

    @Test
    void attack23NobodyBecomesAnotherUser() throws Exception {
        try (Connection connection = connect(password(ALICE, TOKENS.get(ALICE)));
                Statement statement = connection.createStatement()) {
            for (String user : List.of(BOB, ROOT)) {
                assertThatThrownBy(() -> rows(statement, "SET SESSION AUTHORIZATION " + user))
                        .hasMessageContaining("cannot impersonate");
            }
            assertThat(rows(statement, "SELECT current_user")).containsExactly(ALICE);
        }
    }

    @Test
    void attack28QueriesOfOthersAreNeitherSeenNorKilled() throws Exception {
        Gate gate = GateFunction.close();
        CompletableFuture<List<String>> held = run(BOB, "SELECT 4711 WHERE gate(1)");
        try {
            gate.await(held);
            String mine = "SELECT query_id FROM system.runtime.queries WHERE query LIKE '%4711 WHERE%'"
                    + " AND query NOT LIKE '%runtime%'";
            String id = as(BOB, mine).getFirst();
            assertThat(as(ALICE, mine)).isEmpty();
            assertThat(as(ALICE, "SELECT DISTINCT \"user\" FROM system.runtime.queries"))
                    .containsExactly(ALICE);
            String kill = "CALL system.runtime.kill_query(query_id => '%s', message => 'no')".formatted(id);
            assertThatThrownBy(() -> as(ALICE, kill)).hasMessageContaining("Access Denied");
            for (String method : List.of("GET", "DELETE")) {
                assertThat(http(method, "/v1/query/" + id, Map.of("Authorization", bearer(ALICE)), "")
                                .statusCode())
                        .isEqualTo(403);
            }
            assertThat(http("GET", "/v1/query", Map.of("Authorization", bearer(ALICE)), "")
                            .body())
                    .doesNotContain("\"user\":\"bob\"");
            for (String table : List.of("tasks", "nodes", "transactions")) {
                assertThatThrownBy(() -> as(ALICE, "SELECT * FROM system.runtime." + table))
                        .hasMessageContaining("Access Denied");
            }
            assertThat(held).isNotDone();

            assertThat(as(ROOT, mine)).containsExactly(id);
            as(ROOT, kill);
            assertThatThrownBy(held::join).hasMessageContaining("no");
        } finally {
            gate.open();
        }
    }

    private static CompletableFuture<List<String>> run(String user, String sql) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return as(user, sql);
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    @Test
    void aUsersQueriesWaitForEachOtherAndNotForThoseOfOthers() throws Exception {
        Gate gate = GateFunction.close();
        List<CompletableFuture<List<String>>> held = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                held.add(run(BOB, "SELECT 42 WHERE gate(1)"));
            }
            String states = """
                    SELECT state FROM system.runtime.queries
                    WHERE "user" = 'bob' AND state IN ('QUEUED', 'RUNNING') ORDER BY state""";
            Waiting.until(
                    "two run and one waits", () -> as(ROOT, states).equals(List.of("QUEUED", "RUNNING", "RUNNING")));
            assertThat(as(ALICE, "SELECT 1")).containsExactly("1");
        } finally {
            gate.open();
        }
        for (CompletableFuture<List<String>> query : held) {
            assertThat(query.join()).containsExactly("42");
        }
    }

    @Test
    void otherCatalogsAndSettingsOfTheServerAreForOperators() throws Exception {
        assertThat(as(ALICE, "SHOW CATALOGS")).containsExactlyInAnyOrder("cordwood", "system");
        assertThatThrownBy(() -> as(ALICE, "SELECT * FROM iceberg.tiny.nation")).hasMessageContaining("Access Denied");
        assertThat(as(ROOT, "SELECT count(*) FROM iceberg.tiny.nation")).containsExactly("25");
        for (String property : List.of("query_max_run_time = '1h'", "query_max_scan_physical_bytes = '1TB'")) {
            assertThatThrownBy(() -> as(ALICE, "SET SESSION " + property)).hasMessageContaining("Access Denied");
            as(ROOT, "SET SESSION " + property);
        }
        as(ALICE, "SET SESSION cordwood.hot_tail = 'OFF'");
        assertThatThrownBy(() -> as(ALICE, "SET SESSION cordwood.hot_max_size = '1TB'"))
                .hasMessageContaining("Access Denied");
    }

    @Test
    void theRulesLeaveUsersWhatIsTheirs() throws Exception {
        assertThat(as(ALICE, "SHOW SCHEMAS"))
                .containsExactlyInAnyOrder("acme", "all_tenants", "information_schema", "system");
        assertThat(as(ALICE, "SELECT tenant_id FROM all_tenants.logs")).containsExactly("acme");
        assertThat(as(ALICE, "SELECT level FROM TABLE(cordwood.system.tail(tenant => 'acme'))"))
                .containsExactly("INFO");
        assertThat(as(ALICE, "SELECT level FROM acme.\"logs$first\"")).containsExactly("INFO");
        assertThat(as(ALICE, "SELECT tenant_id FROM all_tenants.\"logs$last\"")).containsExactly("acme");
        assertThat(as(ALICE, "SELECT count(*) FROM acme.logs WHERE match(level, 'info')"))
                .containsExactly("1");
        assertThatThrownBy(() -> as(ALICE, "DELETE FROM acme.logs WHERE level = 'ERROR'"))
                .hasMessageContaining("Access Denied")
                .hasMessageContaining("deleter");
        as(BOB, "DELETE FROM globex.logs WHERE level = 'ERROR'");
        assertThatThrownBy(() -> as(ALICE, "SELECT * FROM globex.logs")).hasMessageContaining("no grant");
    }
}
