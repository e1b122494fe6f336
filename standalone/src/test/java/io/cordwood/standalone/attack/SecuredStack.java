package io.cordwood.standalone.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.identity.PemFiles;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.Program;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The stack of {@code up --auth} that the attacks are tried on: one for all test classes of a JVM, as a parameter of
 * their constructors. It has two tenants with committed rows: the attacker, acme, and the victim, globex; and users
 * that are named like the tenant and the role granted in it.
 */
public final class SecuredStack implements ParameterResolver {
    static final String ATTACKER = "acme";
    static final String VICTIM = "globex";
    /** A tenant whose rows are deleted. */
    static final String DELETED = "hooli";

    static final String ACME_READER = "acme-reader";
    static final String ACME_DELETER = "acme-deleter";
    static final String ACME_WRITER = "acme-writer";
    static final String ACME_LOADER = "acme-loader";
    static final String GLOBEX_READER = "globex-reader";
    static final String GLOBEX_WRITER = "globex-writer";

    private static final int ROWS = 100;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Running.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SecuredStack.class))
                .getOrComputeIfAbsent(Running.class, any -> Running.start(), Running.class);
    }

    /** The running stack. Thread-safe. */
    static final class Running implements AutoCloseable {
        private final Path directory;
        private final Home home;
        private final Program cordwood;
        private final Map<String, String> tokens = new HashMap<>();
        private JsonNode endpoints;
        private HttpClient http;

        private Running() throws IOException {
            directory = Files.createTempDirectory("cordwood-attacks");
            home = new Home(directory.resolve("home"));
            cordwood = new Program(home.directory());
        }

        private static Running start() {
            try {
                Running stack = new Running();
                stack.up();
                stack.fill();
                return stack;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException("Cannot start the stack", e);
            }
        }

        /** Starts all services, for the first time or after {@code down}. */
        void up() throws IOException, InterruptedException {
            assertThat(cordwood.run("up", "--auth", "--detach", "--max-age", "2"))
                    .extracting(Outcome::code, Outcome::err)
                    .containsExactly(0, "");
            endpoints = JSON.readTree(home.endpoints().toFile());
        }

        private void fill() throws IOException, InterruptedException {
            http = HttpClient.newBuilder()
                    .sslContext(PemFiles.trusting(authorities()))
                    .build();
            user(ACME_READER, "acme", "reader");
            user(ACME_DELETER, "acme", "deleter");
            ok("tenant", "set", DELETED, "--quota", "0");
            ok("user", "grant", ACME_DELETER, "--tenant", DELETED, "--role", "deleter");
            user(ACME_WRITER, "acme", "writer");
            user(ACME_LOADER, "acme", "reader,writer");
            user(GLOBEX_READER, "globex", "reader");
            user(GLOBEX_WRITER, "globex", "writer");
            for (String tenant : List.of(ATTACKER, VICTIM)) {
                ship(tenant, ROWS);
                Waiting.until(
                        "the rows of %s are committed".formatted(tenant),
                        () -> catalog("GET", "/v1/namespaces/%s/tables/logs".formatted(tenant), operatorToken(), "")
                                .body()
                                .contains("\"current-snapshot-id\""));
            }
        }

        /** Makes a user with roles of a tenant, and the tenant. */
        void user(String name, String tenant, String role) {
            ok("tenant", "set", tenant, "--quota", "0");
            ok("user", "add", name);
            ok("user", "grant", name, "--tenant", tenant, "--role", role);
            tokens.put(name, createToken(name));
        }

        /** A new API key of the user, with further options. */
        String createToken(String user, String... options) {
            List<String> command = new ArrayList<>(List.of("token", "create", "--user", user));
            command.addAll(List.of(options));
            return ok(command.toArray(String[]::new)).strip();
        }

        /** The output of a command that works. */
        String ok(String... command) {
            return cordwood.callOk(command);
        }

        Outcome call(String... command) {
            return cordwood.call(command);
        }

        /** A command in a process of its own. */
        Outcome run(String... command) throws IOException, InterruptedException {
            return cordwood.run(command);
        }

        /** A command that goes on, in a process of its own. */
        Process begin(String... command) throws IOException {
            return cordwood.start(command);
        }

        void ship(String tenant, int rows) throws IOException {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < rows; i++) {
                lines.append("{\"message\":\"row %d of %s\",\"n\":%d}%n".formatted(i, tenant, i));
            }
            Path file = Files.writeString(directory.resolve(tenant + ".ndjson"), lines);
            ok("produce", "--tenant", tenant, file.toString());
        }

        Home home() {
            return home;
        }

        /** A file below {@code secrets}. */
        Path secret(String name) {
            return home.directory().resolve("secrets").resolve(name);
        }

        String secretText(String name) throws IOException {
            return Files.readString(secret(name)).strip();
        }

        Path authorities() {
            return secret("ca.pem");
        }

        String operatorToken() throws IOException {
            return secretText("operator.token");
        }

        /** The API key of one of the users. */
        String token(String user) {
            return tokens.get(user);
        }

        String endpoint(String name) {
            return endpoints.path(name).asText();
        }

        /** A request to the catalog service. */
        HttpResponse<String> catalog(String method, String path, String token, String body)
                throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(endpoint("catalog") + path))
                    .header("Content-Type", "application/json")
                    .timeout(Duration.ofMinutes(1))
                    .method(method, BodyPublishers.ofString(body));
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            return send(request.build());
        }

        JsonNode json(HttpResponse<String> response) throws IOException {
            return JSON.readTree(response.body());
        }

        HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
            return http.send(request, BodyHandlers.ofString());
        }

        /**
         * Sends a request on a connection of its own. A refusal may come before the body is read, and end the
         * connection; HTTP/2 would report a reset.
         */
        HttpResponse<String> sendAlone(HttpRequest request) throws IOException, InterruptedException {
            try (HttpClient alone = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(PemFiles.trusting(authorities()))
                    .build()) {
                return alone.send(request, BodyHandlers.ofString());
            }
        }

        /** A connection to a service, for requests that no client sends. */
        Socket tls(URI service) throws IOException {
            return PemFiles.trusting(authorities())
                    .getSocketFactory()
                    .createSocket(service.getHost(), service.getPort());
        }

        /** The start of a query, without a client: the answer to the first request. */
        HttpResponse<String> statement(String sql, Map<String, String> headers)
                throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(endpoint("trino") + "/v1/statement"))
                    .timeout(Duration.ofMinutes(1))
                    .POST(BodyPublishers.ofString(sql));
            headers.forEach(request::header);
            return sendAlone(request.build());
        }

        static String basic(String user, String password) {
            return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        }

        /** A connection to Trino with the user's API key as its password. */
        Connection connect(String user) throws SQLException, IOException {
            return connect(user, user);
        }

        /** A connection of the user under the name of another. */
        Connection connect(String user, String claimed) throws SQLException, IOException {
            Properties properties = new Properties();
            properties.setProperty("user", user);
            properties.setProperty("sessionUser", claimed);
            properties.setProperty("password", user.equals(operator()) ? operatorToken() : token(user));
            properties.setProperty("SSL", "true");
            properties.setProperty("SSLTrustStorePath", authorities().toString());
            URI trino = URI.create(endpoint("trino"));
            return DriverManager.getConnection(
                    "jdbc:trino://%s:%d/cordwood".formatted(trino.getHost(), trino.getPort()), properties);
        }

        /** The name of the operator whose token the stack made. */
        String operator() {
            return "admin";
        }

        /** The rows of a query, each as text with its values separated by a bar. */
        List<String> sql(String user, String sql) throws SQLException, IOException {
            try (Connection connection = connect(user);
                    Statement statement = connection.createStatement()) {
                List<String> rows = new ArrayList<>();
                if (!statement.execute(sql)) {
                    return rows;
                }
                try (ResultSet result = statement.getResultSet()) {
                    while (result.next()) {
                        StringBuilder row = new StringBuilder();
                        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                            row.append(i == 1 ? "" : "|").append(result.getString(i));
                        }
                        rows.add(row.toString());
                    }
                }
                return rows;
            }
        }

        /** The message of a query that must fail, without the query's id. */
        String denied(String user, String sql) throws IOException {
            try {
                List<String> rows = sql(user, sql);
                throw new AssertionError("%s runs %s and gets %s".formatted(user, sql, rows));
            } catch (SQLException e) {
                return e.getMessage().replaceFirst("\\(#[^)]*\\)", "(#id)");
            }
        }

        /** Properties of a Kafka client that a file below {@code secrets} holds. */
        Properties kafka(String file) throws IOException {
            Properties properties = new Properties();
            try (var in = Files.newInputStream(secret(file))) {
                properties.load(in);
            }
            properties.setProperty("bootstrap.servers", endpoint("kafka"));
            return properties;
        }

        @Override
        public void close() {
            http.close();
            cordwood.call("down");
            deleteDirectory();
        }

        private void deleteDirectory() {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot delete the stack in " + directory, e);
            }
        }
    }
}
