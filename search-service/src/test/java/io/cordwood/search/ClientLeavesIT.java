package io.cordwood.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import java.io.IOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A question whose client has closed the connection ends soon, and not at its limit of 30 seconds. */
@Timeout(120)
class ClientLeavesIT {
    private static final Instant START = Instant.parse("2026-01-10T12:00:00Z");
    private static final int ROWS = 20_000;
    private static final Duration SOON = Duration.ofSeconds(5);

    /** Each of them reads the whole line, since no line has its last word. */
    private static final String SLOW_STAGE = " | regexp \"(?P<a>(\\\\w+ )*(\\\\w+ )*(\\\\w+ )*nosuch)\"";

    @TempDir
    private static Path home;

    private static SearchFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = SearchFixture.start(home);
        fixture.createTable("acme", ColumnDefinition.text("message"));
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(Map.of(
                    "ts",
                    START.plusMillis(i).toString(),
                    "message",
                    "some words of line %d ".formatted(i).repeat(20)));
        }
        fixture.ship("acme", rows);
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    @Test
    void whileNothingIsWritten() throws Exception {
        String query = "sum(count_over_time({stream=\"logs\"}%s [1m]))".formatted(SLOW_STAGE.repeat(20));
        String request =
                "GET /loki/api/v1/query?time=%d&query=%s HTTP/1.1\r\nHost: localhost\r\nX-Scope-OrgID: acme\r\n\r\n"
                        .formatted(START.plusSeconds(60).getEpochSecond(), URLEncoder.encode(query, UTF_8));
        assertEndsSoon(request);
    }

    @Test
    void whileItWaitsForKafka() throws Exception {
        String body = "{\"column\":\"message\"}";
        fixture.kafka().suspend();
        try {
            assertEndsSoon(
                    "POST /api/v1/tenants/acme/streams/logs/values HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(body.length(), body));
        } finally {
            fixture.kafka().resume();
        }
    }

    private static void assertEndsSoon(String request) throws Exception {
        try (Socket client = new Socket(fixture.uri().getHost(), fixture.uri().getPort())) {
            client.getOutputStream().write(request.getBytes(UTF_8));
            await(1);
        }
        long left = System.nanoTime();
        await(0);
        assertThat(Duration.ofNanos(System.nanoTime() - left)).isLessThan(SOON);
    }

    private static void await(int running) throws IOException, InterruptedException {
        String metric = "cordwood_search_questions{state=\"running\"} %d\n".formatted(running);
        while (!fixture.get("/metrics").body().contains(metric)) {
            Thread.onSpinWait();
        }
    }
}
