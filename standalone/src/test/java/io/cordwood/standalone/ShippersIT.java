package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Login;
import io.cordwood.standalone.sql.SqlClient;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shippers of others with the configuration in docs/use/clients, places alone exchanged, against a real stack: each
 * line is in the tenant's table once. They are no part of the build: a shipper that is not on PATH is not tested.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ShippersIT {
    private static final int LINES = 2_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Path configurations = Program.root().resolve("docs/use/clients");
    private Path files;
    private Program cordwood;
    private Endpoints endpoints;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        files = directory;
        Home home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory());
        assertThat(cordwood.run("up", "--detach", "--max-age", "4"))
                .extracting(Outcome::err)
                .isEqualTo("");
        endpoints = Endpoints.read(home);
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    @Test
    void rsyslog() throws Exception {
        Path spool = Files.createDirectory(files.resolve("rsyslog"));
        Path log = write("rsyslog", spool.resolve("app.log"));
        Path configuration = configuration(
                "rsyslog.conf",
                Map.of(
                        "/var/log/app/*.log", log.toString(),
                        "/var/spool/rsyslog", spool.toString(),
                        "\"acme\"", "\"rsyslog\""));
        try (Shipper shipper =
                new Shipper("rsyslogd", "-n", "-i", spool.resolve("pid").toString(), "-f", configuration.toString())) {
            shipper.awaitLines("rsyslog");
        }
        assertThat(ask("SELECT count(*) FROM rsyslog.logs WHERE service = 'app' AND level = 'notice'"))
                .isEqualTo(LINES);
    }

    @Test
    void syslogNg() throws Exception {
        Path state = Files.createDirectory(files.resolve("syslog-ng"));
        Path log = write("syslog_ng", state.resolve("app.log"));
        Path configuration = configuration(
                "syslog-ng.conf", Map.of("/var/log/app/app.log", log.toString(), "\"acme\"", "\"syslog_ng\""));
        try (Shipper shipper = new Shipper(
                "syslog-ng",
                "-F",
                "-f",
                configuration.toString(),
                "-R",
                state.resolve("persist").toString(),
                "-p",
                state.resolve("pid").toString(),
                "-c",
                state.resolve("control").toString())) {
            shipper.awaitLines("syslog_ng");
        }
        assertThat(ask("SELECT count(*) FROM syslog_ng.logs WHERE service = 'app'"))
                .isEqualTo(LINES);
    }

    @Test
    void openTelemetryCollector() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path configuration = configuration("otel-collector.yaml", Map.of("127.0.0.1:4318", "127.0.0.1:" + port));
        try (Shipper shipper = new Shipper("otelcol", "--config", configuration.toString());
                HttpClient http = HttpClient.newHttpClient()) {
            URI logs = URI.create("http://127.0.0.1:%d/v1/logs".formatted(port));
            for (int first = 0; first < LINES; first += 100) {
                for (String tenant : List.of("otel_one", "otel_two")) {
                    post(http, logs, tenant, first);
                }
            }
            shipper.awaitLines("otel_one");
            shipper.awaitLines("otel_two");
        }
        for (String tenant : List.of("otel_one", "otel_two")) {
            assertThat(ask("SELECT count(*) FROM %1$s.logs WHERE match(message, '%1$s') AND level = 'WARN' "
                                    .formatted(tenant)
                            + "AND \"resource.service.name\" = 'app' AND \"http.status\" = 503"))
                    .isEqualTo(LINES);
        }
    }

    /** Sends a request of a hundred log records; again while the collector does not listen yet. */
    private static void post(HttpClient http, URI logs, String tenant, int first) throws Exception {
        String records = IntStream.range(first, first + 100)
                .mapToObj(n -> """
                        {"timeUnixNano":"%d","severityText":"WARN","body":{"stringValue":"line %d of %s"},
                         "attributes":[{"key":"http.status","value":{"intValue":"503"}}]}""".formatted(1_768_003_200_000_000_000L + n * 1_000L, n, tenant))
                .collect(Collectors.joining(","));
        String body = """
                {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"app"}}]},
                 "scopeLogs":[{"logRecords":[%s]}]}]}""".formatted(records);
        HttpRequest request = HttpRequest.newBuilder(logs)
                .header("Content-Type", "application/json")
                .header("cordwood.tenant", tenant)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                return;
            } catch (IOException e) {
                assertThat(System.nanoTime()).as(e.toString()).isLessThan(deadline);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    /** The documented configuration with the places of this test. */
    private Path configuration(String name, Map<String, String> places) throws IOException {
        String text = Files.readString(configurations.resolve(name));
        assertThat(text).contains("127.0.0.1:9092");
        text = text.replace("127.0.0.1:9092", endpoints.kafka());
        for (Map.Entry<String, String> place : places.entrySet()) {
            assertThat(text).as(name).contains(place.getKey());
            text = text.replace(place.getKey(), place.getValue());
        }
        return Files.writeString(files.resolve(name), text);
    }

    private static Path write(String tenant, Path log) throws IOException {
        return Files.write(
                log,
                IntStream.range(0, LINES)
                        .mapToObj(n -> "line %d of %s: \"quoted\" \\ ü".formatted(n, tenant))
                        .toList());
    }

    private long ask(String sql) {
        try (SqlClient client = SqlClient.connect(endpoints.trino(), "test", Map.of(), Login.open())) {
            return client.query(sql, rows -> {
                rows.next();
                return rows.getLong(1);
            });
        }
    }

    /** A shipper that runs until it is closed. */
    private final class Shipper implements AutoCloseable {
        private final Process process;
        private final Path output;

        Shipper(String... command) throws IOException {
            assumeThat(Pattern.compile(Pattern.quote(File.pathSeparator))
                            .splitAsStream(System.getenv("PATH"))
                            .anyMatch(directory -> Files.isExecutable(Path.of(directory, command[0]))))
                    .as(command[0] + " is on PATH")
                    .isTrue();
            output = files.resolve(command[0] + ".out");
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        }

        /** Waits until all the tenant's lines are in LogBlocks, and looks whether each is there once. */
        void awaitLines(String tenant) throws IOException {
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            String cold = "SELECT count(*) FROM all_tenants.logs WHERE tenant_id = '%s' AND \"$tier\" = 'cold'"
                    .formatted(tenant);
            while (ask(cold) < LINES) {
                assertThat(process.isAlive() && System.nanoTime() < deadline)
                        .as("%d lines of %s; the shipper says: %s", ask(cold), tenant, Files.readString(output))
                        .isTrue();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
            assertThat(ask("SELECT count(*) FROM %s.logs".formatted(tenant))).isEqualTo(LINES);
            assertThat(ask("SELECT count(DISTINCT message) FROM %s.logs".formatted(tenant)))
                    .isEqualTo(LINES);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
