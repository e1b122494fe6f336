package io.cordwood.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** The whole stack, started by {@code bin/cordwood up} in a temporary home and stopped at the end. Not thread-safe. */
final class RunningStack implements AutoCloseable {
    private final Path root;
    private final Path home;
    private final JsonNode endpoints;

    private RunningStack(Path root, Path home, JsonNode endpoints) {
        this.root = root;
        this.home = home;
        this.endpoints = endpoints;
    }

    /** @param maxAgeSeconds age at which rows are flushed */
    static RunningStack start(String stream, int maxAgeSeconds) throws IOException, InterruptedException {
        Path root = Path.of(System.getProperty("cordwood.root", "."));
        Path home = Files.createTempDirectory("cordwood-bench");
        run(
                root,
                "up",
                "--home",
                home.toString(),
                "--detach",
                "--streams",
                stream,
                "--max-age",
                Integer.toString(maxAgeSeconds));
        JsonNode endpoints =
                new ObjectMapper().readTree(home.resolve("endpoints.json").toFile());
        return new RunningStack(root, home, endpoints);
    }

    private static void run(Path root, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("bin/cordwood").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(
                        Files.createTempFile("cordwood-bench", ".log").toFile()))
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(
                    "'%s' failed with exit code %d".formatted(String.join(" ", command), process.exitValue()));
        }
    }

    String kafka() {
        return endpoints.get("kafka").asText();
    }

    Path warehouse() {
        String warehouse = endpoints.get("warehouse").asText();
        return Path.of(warehouse.replaceFirst("^file:(//)?", ""));
    }

    long pid(String process) throws IOException {
        String text = Files.readString(home.resolve("run").resolve(process + ".pid"));
        return Long.parseLong(text.strip().split("\\s", 2)[0]);
    }

    ProcessUsage usage(String process) throws IOException {
        return ProcessUsage.of(pid(process));
    }

    Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "bench");
        return DriverManager.getConnection(
                endpoints.get("trino").asText().replaceFirst("^http", "jdbc:trino"), properties);
    }

    /** Waits until so many rows can be queried. */
    void awaitRows(String stream, long rows, long timeoutSeconds) throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + timeoutSeconds * 1_000_000_000L;
        long seen = -1;
        while (System.nanoTime() < deadline) {
            seen = count(stream);
            if (seen >= rows) {
                return;
            }
            Thread.sleep(500);
        }
        throw new SQLException("%d of %d rows after %d s".formatted(seen, rows, timeoutSeconds));
    }

    private long count(String stream) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
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

    @Override
    public void close() throws IOException {
        try {
            run(root, "down", "--home", home.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Directories.delete(home);
        }
    }
}
