package io.cordwood.catalog.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A PostgreSQL server of its own from the local installation, on a free port of the loopback interface. */
final class LocalPostgresql {
    private static final Path INSTALLATIONS = Path.of("/usr/lib/postgresql");
    private static final String ACCOUNT = "postgres";
    private static final long TIMEOUT_SECONDS = 60;

    private final Path bin;
    private final Path directory;
    private final int port;
    private final AtomicInteger databases = new AtomicInteger();

    private LocalPostgresql(Path bin, Path directory, int port) {
        this.bin = bin;
        this.directory = directory;
        this.port = port;
    }

    /** Starts a server, or skips the test that asks for it. */
    static LocalPostgresql start() throws IOException, InterruptedException {
        Optional<Path> bin = installation();
        assumeTrue(bin.isPresent(), "PostgreSQL is not installed under " + INSTALLATIONS + ", so it is not tested");
        Path directory = Files.createTempDirectory("cordwood-postgresql");
        if (isRoot()) {
            run(List.of("chown", ACCOUNT, directory.toString()));
        }
        LocalPostgresql server = new LocalPostgresql(bin.get(), directory, freePort());
        server.runTool("initdb", "-D", directory + "/data", "-A", "trust", "-U", "cordwood", "--no-sync", "-E", "UTF8");
        String options = "-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off".formatted(server.port, directory);
        server.runTool("pg_ctl", "-D", directory + "/data", "-w", "-l", directory + "/log", "-o", options, "start");
        return server;
    }

    /** URL of a new, empty database. */
    String newDatabase() throws Exception {
        String name = "test" + databases.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return url(name);
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=cordwood".formatted(port, database);
    }

    void stop() throws IOException, InterruptedException {
        runTool("pg_ctl", "-D", directory + "/data", "-w", "-m", "immediate", "stop");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Optional<Path> installation() throws IOException {
        if (!Files.isDirectory(INSTALLATIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLATIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        }
    }

    /** PostgreSQL refuses to run as root, so root runs it under its own account. */
    private void runTool(String tool, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("runuser", "-u", ACCOUNT, "--"));
        }
        command.add(bin.resolve(tool).toString());
        command.addAll(List.of(arguments));
        run(command);
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("cordwood-postgresql", ".out");
        Process process = new ProcessBuilder(command)
                .directory(Path.of("/tmp").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroy();
            throw new IOException(command + " failed: " + Files.readString(output));
        }
        Files.delete(output);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
