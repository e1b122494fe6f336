package io.cordwood.benchmarks.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.run.Scratch;
import io.cordwood.catalog.client.CatalogClient;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A whole stack that {@code bin/cordwood up} runs as a child process in a temporary home. Not thread-safe. */
public final class RunningStack implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long POLL_MILLIS = 50;
    private static final long KILL_SECONDS = 10;
    private static final long ROWS_POLL_MILLIS = 500;
    /** The operator whose token a closed stack makes. */
    private static final String OPERATOR = "admin";

    private final Path home;
    private final Path output;
    private final Process supervisor;

    private RunningStack(Path home, Path output, Process supervisor) {
        this.home = home;
        this.output = output;
        this.supervisor = supervisor;
    }

    /**
     * Starts a stack and returns at once.
     *
     * @param maxAgeSeconds age at which rows are flushed
     * @param options more options of {@code up}
     */
    public static RunningStack start(Scratch scratch, String stream, int maxAgeSeconds, String... options)
            throws IOException {
        return start(scratch, Map.of(), stream, maxAgeSeconds, options);
    }

    /** Starts a stack with additional environment variables. */
    public static RunningStack start(
            Scratch scratch, Map<String, String> environment, String stream, int maxAgeSeconds, String... options)
            throws IOException {
        return scratch.start(() -> {
            Path home = scratch.directory().resolve("home");
            Path output = scratch.directory().resolve("up.log");
            List<String> words = new ArrayList<>(List.of(
                    "up",
                    "--home",
                    home.toString(),
                    "--streams",
                    stream,
                    "--max-age",
                    Integer.toString(maxAgeSeconds)));
            words.addAll(List.of(options));
            return new RunningStack(home, output, launch(output, environment, words.toArray(String[]::new)));
        });
    }

    /** Runs {@code bin/cordwood} to its end, without its output. @throws IOException if it fails */
    public static void run(String... arguments) throws IOException, InterruptedException {
        int code = command(arguments)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("bin/cordwood %s ended with code %d".formatted(String.join(" ", arguments), code));
        }
    }

    private static ProcessBuilder command(String... arguments) {
        List<String> words =
                new ArrayList<>(List.of(root().resolve("bin/cordwood").toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words);
        // bin/bench has already built the measured code.
        builder.environment().put("CORDWOOD_BUILD", "never");
        return builder;
    }

    /** The directory of the measured project. */
    public static Path root() {
        return Path.of(System.getProperty("cordwood.root", "."));
    }

    /** Whether Trino's own Iceberg connector was fetched, so that {@code up --iceberg} can use it. */
    public static boolean hasIcebergConnector() {
        return Files.exists(root().resolve("standalone/trino-iceberg/target/classpath.txt"));
    }

    private static Process launch(Path output, Map<String, String> environment, String... arguments)
            throws IOException {
        ProcessBuilder builder = command(arguments)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Waits until the broker accepts records, while the rest still starts; returns its address. */
    public String awaitKafka() throws IOException, InterruptedException {
        return await(() ->
                readyService("kafka").map(service -> service.path("endpoint").asText()));
    }

    /** Whether the supervisor has found a service ready. */
    public boolean isReady(String service) throws IOException {
        return readyService(service).isPresent();
    }

    private Optional<JsonNode> readyService(String name) throws IOException {
        Path file = home.resolve("run/status.json");
        if (Files.exists(file)) {
            for (JsonNode service : JSON.readTree(file.toFile()).path("services")) {
                if (service.path("name").asText().equals(name)
                        && service.path("state").asText().equals("READY")) {
                    return Optional.of(service);
                }
            }
        }
        return Optional.empty();
    }

    /** Waits until everything is ready. */
    public void awaitReady() throws IOException, InterruptedException {
        endpoints();
    }

    private JsonNode endpoints() throws IOException, InterruptedException {
        Path file = home.resolve("endpoints.json");
        return await(() -> Files.exists(file) ? Optional.of(JSON.readTree(file.toFile())) : Optional.empty());
    }

    /** A poll for a value that may not exist yet. */
    private interface Probe<T> {
        Optional<T> poll() throws IOException;
    }

    private <T> T await(Probe<T> probe) throws IOException, InterruptedException {
        while (true) {
            Optional<T> found = probe.poll();
            if (found.isPresent()) {
                return found.get();
            }
            if (supervisor.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                List<String> lines = Files.readAllLines(output);
                throw new IOException("the stack did not start: "
                        + (lines.isEmpty() ? "exit code " + supervisor.exitValue() : lines.getLast()));
            }
        }
    }

    private boolean isLocal() throws IOException, InterruptedException {
        return endpoints().get("warehouse").asText().startsWith("file:");
    }

    /** Directory of the LogBlocks, if they are on the local disk. */
    public Path warehouse() throws IOException, InterruptedException {
        return Path.of(endpoints().get("warehouse").asText().replaceFirst("^file:(//)?", ""));
    }

    /** A connection to the catalog service; to that of a closed stack as its operator. */
    public CatalogClient catalogClient() throws IOException, InterruptedException {
        Map<String, String> properties = authorities()
                .map(ca -> Map.of(
                        CatalogClient.TOKEN_FILE, secret("operator.token").toString(), CatalogClient.CA_FILE, ca))
                .orElse(Map.of());
        return CatalogClient.connect(URI.create(catalog()), properties);
    }

    /** Address of the catalog service. */
    public String catalog() throws IOException, InterruptedException {
        return endpoints().get("catalog").asText();
    }

    /** The certificates that a closed stack's services are known by; empty if the stack is open. */
    private Optional<String> authorities() throws IOException, InterruptedException {
        return Optional.ofNullable(endpoints().get("ca")).map(JsonNode::asText);
    }

    private Path secret(String name) {
        return home.resolve("secrets").resolve(name);
    }

    /**
     * Properties of a Kafka client.
     *
     * @param account the account that it logs in with, if the stack is closed
     */
    public Map<String, Object> kafka(String account) throws IOException, InterruptedException {
        Map<String, Object> properties = new HashMap<>();
        if (authorities().isPresent()) {
            Properties login = new Properties();
            try (Reader file = Files.newBufferedReader(secret(account + ".kafka.properties"))) {
                login.load(file);
            }
            login.stringPropertyNames().forEach(name -> properties.put(name, login.getProperty(name)));
        }
        properties.put("bootstrap.servers", awaitKafka());
        return properties;
    }

    /** Address of Flink's dashboard of the ingest job. */
    public String flink() throws IOException, InterruptedException {
        return endpoints().get("flink").asText();
    }

    /** Address of the search service. */
    public URI search() throws IOException, InterruptedException {
        return URI.create(endpoints().get("search").asText());
    }

    /** Address of the ingest gateway. */
    public URI gateway() throws IOException, InterruptedException {
        return URI.create(endpoints().get("gateway").asText());
    }

    /** The stack's home. */
    public Path home() {
        return home;
    }

    /** Names of the services that run as processes, in the order of their names. */
    public List<String> services() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("run"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".pid"))
                    .map(name -> name.substring(0, name.length() - ".pid".length()))
                    .sorted()
                    .toList();
        }
    }

    public long pid(String process) throws IOException {
        String text = Files.readString(home.resolve("run").resolve(process + ".pid"));
        return Long.parseLong(text.strip().split("\\s", 2)[0]);
    }

    /** A connection to Trino; to that of a closed stack as its operator. */
    public Connection connect() throws IOException, SQLException, InterruptedException {
        if (authorities().isPresent()) {
            return connect(OPERATOR, Files.readString(secret("operator.token")).strip());
        }
        return connect("bench", Map.of());
    }

    /** A connection to the Trino of a closed stack, with the user's token. */
    public Connection connect(String user, String token) throws IOException, SQLException, InterruptedException {
        return connect(
                user, Map.of("SSL", "true", "SSLTrustStorePath", authorities().orElseThrow(), "accessToken", token));
    }

    private Connection connect(String user, Map<String, String> more)
            throws IOException, SQLException, InterruptedException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.putAll(more);
        return DriverManager.getConnection(
                endpoints().get("trino").asText().replaceFirst("^https?", "jdbc:trino"), properties);
    }

    /** Waits until this number of rows is in LogBlocks and can be queried. */
    public void awaitRows(String stream, long rows, long timeoutSeconds)
            throws IOException, SQLException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        long seen = 0;
        LongSupplier written = isLocal() ? new WrittenRows(warehouse())::count : () -> rows;
        try (Connection connection = connect()) {
            try (Statement statement = connection.createStatement()) {
                // Counts only rows in LogBlocks.
                statement.execute("SET SESSION cordwood.hot_tail = 'off'");
            }
            while (System.nanoTime() < deadline) {
                if (written.getAsLong() >= rows) {
                    seen = count(connection, stream);
                    if (seen >= rows) {
                        return;
                    }
                }
                Thread.sleep(ROWS_POLL_MILLIS);
            }
        }
        throw new SQLException("%d of %d rows are committed after %d s".formatted(seen, rows, timeoutSeconds));
    }

    private static long count(Connection connection, String stream) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM cordwood.all_tenants." + stream)) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            // The table appears with its first row.
            if (e.getMessage().contains("does not exist")) {
                return 0;
            }
            throw e;
        }
    }

    /** Ends the stack; returns when all its processes have ended. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> services = supervisor.descendants().toList();
        supervisor.destroy();
        // The home is deleted, so its services need not end in order.
        services.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(supervisor);
        for (ProcessHandle service : services) {
            // The supervisor did not wait for these killed processes; they end soon.
            service.onExit()
                    .completeOnTimeout(service, KILL_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
        if (hasOrphans()) {
            // The supervisor got the signal after it had started services and before it could stop them.
            awaitEnd(launch(output, Map.of(), "down", "--home", home.toString()));
        }
    }

    private boolean hasOrphans() throws IOException {
        return Files.isDirectory(home.resolve("run")) && !services().isEmpty();
    }

    private static void awaitEnd(Process process) throws IOException {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the stack was stopped", e);
        }
    }
}
