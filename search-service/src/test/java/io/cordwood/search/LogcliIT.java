package io.cordwood.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.services.TestServices;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loki's own client works with the search service. */
@Tag("slow")
final class LogcliIT {
    private static final Instant START = Instant.parse("2026-01-10T12:00:00Z");
    private static final String[] MINUTE = {"--from=2026-01-10T12:00:00Z", "--to=2026-01-10T12:01:00Z"};

    @TempDir
    private static Path home;

    private static SearchFixture fixture;
    private static Path logcli;

    @BeforeAll
    static void start() throws Exception {
        logcli = TestServices.logcli();
        fixture = SearchFixture.start(home);
        fixture.createTable(
                "acme",
                ColumnDefinition.text("message"),
                ColumnDefinition.keyword("app"),
                ColumnDefinition.keyword("level"));
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            rows.add(Map.of(
                    "ts",
                    START.plusSeconds(i).toString(),
                    "app",
                    i % 2 == 0 ? "web" : "db",
                    "level",
                    "info",
                    "message",
                    "line " + i));
        }
        fixture.ship("acme", rows);
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    private static ProcessBuilder command(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(logcli.toString(), "--addr=" + fixture.uri(), "--org-id=acme", "--quiet"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.to(new File(home.toFile(), "errors")));
    }

    private static List<String> lines(String... arguments) throws Exception {
        Process process = command(arguments).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    private static String[] inMinute(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(MINUTE));
        return all.toArray(String[]::new);
    }

    @Test
    void findsLines() throws Exception {
        assertThat(lines(inMinute("query", "{app=\"web\"} |= \"line 4\"", "--output=raw", "--limit=3")))
                .containsExactly("line 48", "line 46", "line 44");
    }

    @Test
    void readsInBatches() throws Exception {
        assertThat(lines(inMinute("query", "{app=~\".+\"}", "--output=raw", "--limit=50", "--batch=7", "--forward")))
                .hasSize(50)
                .startsWith("line 0", "line 1")
                .endsWith("line 49");
    }

    @Test
    void computesNumbers() throws Exception {
        assertThat(String.join("", lines(inMinute("query", "sum by (app) (count_over_time({}[1m]))", "--step=1m"))))
                .contains("\"app\": \"web\"", "\"app\": \"db\"", "\"30\"");
        assertThat(String.join(
                        "", lines("instant-query", "sum(count_over_time({}[1m]))", "--now=2026-01-10T12:00:59Z")))
                .contains("\"60\"");
    }

    @Test
    void knowsLabelsAndSeries() throws Exception {
        assertThat(lines(inMinute("labels"))).containsExactly("app", "level", "stream");
        assertThat(lines(inMinute("labels", "app"))).containsExactly("db", "web");
        assertThat(lines(inMinute("series", "{app=\"web\"}")))
                .containsExactly("{app=\"web\", level=\"info\", stream=\"logs\"}");
        assertThat(lines(inMinute("stats", "{app=\"web\"}"))).anyMatch(line -> line.contains("30"));
    }

    @Test
    @Timeout(120)
    void followsLines() throws Exception {
        Process tail = command("query", "{app=\"web\"} |= \"printer\"", "--tail", "--output=raw")
                .start();
        try (BufferedReader output = new BufferedReader(new InputStreamReader(tail.getInputStream(), UTF_8))) {
            Thread shipping = Thread.ofVirtual().start(() -> ship(tail));
            assertThat(output.readLine()).startsWith("printer on fire");
            assertThat(output.readLine()).startsWith("printer on fire");
            shipping.interrupt();
            shipping.join();
        } finally {
            tail.destroy();
        }
    }

    /** Ships rows until it is interrupted, since nothing tells when the client has begun to follow. */
    private static void ship(Process tail) {
        try {
            for (int i = 0; tail.isAlive() && !Thread.interrupted(); i++) {
                fixture.ship(
                        "acme",
                        List.of(
                                Map.of("app", "web", "message", "printer on fire " + i),
                                Map.of("app", "web", "message", "a fax")));
            }
        } catch (Exception e) {
            // The test has ended
            return;
        }
    }
}
