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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** The whole stack, started by {@code bin/cordwood up} in a temporary home and stopped at the end. Not thread-safe. */
final class RunningStack implements AutoCloseable {
    private final Path root;
    private final Path home;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Process> starting = new AtomicReference<>();
    private JsonNode endpoints;

    private RunningStack(Path root, Path home) {
        this.root = root;
        this.home = home;
    }

    /** @param maxAgeSeconds age at which rows are flushed */
    static RunningStack start(String stream, int maxAgeSeconds) throws IOException, InterruptedException {
        Path root = Path.of(System.getProperty("cordwood.root", "."));
        RunningStack stack = new RunningStack(root, Files.createTempDirectory("cordwood-bench"));
        // The stack outlives this process unless it is told to stop: also ^C and a kill end it.
        Runtime.getRuntime().addShutdownHook(new Thread(stack::stopWhenKilled, "stop"));
        stack.up(stream, maxAgeSeconds);
        return stack;
    }

    private void up(String stream, int maxAgeSeconds) throws IOException, InterruptedException {
        Process up = launch(
                "up",
                "--home",
                home.toString(),
                "--detach",
                "--streams",
                stream,
                "--max-age",
                Integer.toString(maxAgeSeconds));
        starting.set(up);
        await(up, "up");
        endpoints = new ObjectMapper().readTree(home.resolve("endpoints.json").toFile());
    }

    private Process launch(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("bin/cordwood").toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(
                        Files.createTempFile("cordwood-bench", ".log").toFile()))
                .start();
    }

    private static void await(Process process, String name) throws IOException, InterruptedException {
        if (process.waitFor() != 0) {
            throw new IOException("'bin/cordwood %s' failed with exit code %d".formatted(name, process.exitValue()));
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

    private void stopWhenKilled() {
        Process up = starting.get();
        if (up != null && up.isAlive()) {
            // What it has detached by now is stopped below; it must not start more.
            up.destroy();
        }
        try {
            close();
        } catch (IOException e) {
            System.err.printf("the stack in %s may still run: %s%n", home, e.getMessage());
        }
    }

    /** Stops the stack and removes its home; a second call does nothing. */
    @Override
    public void close() throws IOException {
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        try {
            await(launch("down", "--home", home.toString()), "down");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Directories.delete(home);
        }
    }
}
