package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service with the heap that {@code up} gives it answers many heavy questions at once, and none takes its memory. */
@Tag("slow")
@Timeout(300)
final class MemoryIT {
    private static final Instant START = Instant.parse("2026-01-10T12:00:00Z");
    private static final int ROWS = 120_000;
    private static final int CLIENTS = 64;
    private static final List<String> TENANTS = List.of("acme", "globex");
    private static final String BOUND = System.getProperty("cordwood.test.question-memory", "");

    /** The heaviest question of each kind; lines have nothing in common, so each has a signature of its own. */
    private static final Map<String, String> QUESTIONS = Map.of(
            "patterns", "{}",
            "search", "{\"limit\":100000}",
            "values", "{\"column\":\"message\",\"limit\":1000}",
            "histogram", "{\"from\":\"2026-01-10\",\"to\":\"2026-01-11\",\"interval\":\"2m\",\"by\":\"message\"}");

    @TempDir
    private Path directory;

    private SearchFixture fixture;
    private Service redis;
    private SearchProcess service;

    @BeforeEach
    void start() throws Exception {
        fixture = SearchFixture.start(directory);
        redis = TestServices.redis();
        Random random = new Random(7);
        for (String tenant : TENANTS) {
            fixture.createTable(tenant, ColumnDefinition.text("message"));
            List<Map<String, Object>> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                StringBuilder line = new StringBuilder();
                for (int word = 0; word < 12; word++) {
                    random.ints(8, 'a', 'z' + 1).forEach(c -> line.append((char) c));
                    line.append(' ');
                }
                rows.add(Map.of("ts", START.plusMillis(i).toString(), "message", line.toString()));
            }
            fixture.ship(tenant, rows);
        }
    }

    @AfterEach
    void stop() throws Exception {
        service.close();
        redis.close();
        fixture.close();
    }

    /** Starts the service as {@code up} does. */
    private SearchProcess serve() throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--catalog-uri",
                fixture.catalogUri().toString(),
                "--bootstrap-servers",
                fixture.kafka().address(),
                "--redis",
                redis.url()));
        if (!BOUND.isEmpty()) {
            arguments.add("--question-memory=" + BOUND);
        }
        return SearchProcess.start(directory.resolve("search.log"), List.of("-Xmx420m"), arguments);
    }

    @Test
    void manyHeavyQuestionsAtOnce() throws Exception {
        service = serve();
        URI uri = service.uri();
        Map<String, Integer> statuses = new TreeMap<>();
        try (HttpClient http = HttpClient.newHttpClient();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<String> kinds = QUESTIONS.keySet().stream().sorted().toList();
            List<Callable<String>> questions = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String kind = kinds.get(i % kinds.size());
                String tenant = TENANTS.get(i / kinds.size() % TENANTS.size());
                questions.add(() -> kind + " " + ask(http, uri, tenant, kind));
            }
            for (Future<String> answer : clients.invokeAll(questions)) {
                statuses.merge(answer.get(), 1, Integer::sum);
            }
            assertThat(ask(http, uri, "acme", "search")).isEqualTo(200);
        }
        System.out.println("Answers " + statuses + ", " + service.peakMemory());
        assertThat(service.output()).doesNotContain("OutOfMemoryError");
        assertThat(statuses.keySet()).allMatch(answer -> answer.matches("\\w+ (200|408|429)"));
        assertThat(statuses.keySet()).anyMatch(answer -> answer.endsWith(" 200"));
    }

    private static int ask(HttpClient http, URI uri, String tenant, String kind) throws Exception {
        try {
            return http.send(
                            HttpRequest.newBuilder(
                                            uri.resolve("/api/v1/tenants/%s/streams/logs/%s".formatted(tenant, kind)))
                                    .POST(HttpRequest.BodyPublishers.ofString(QUESTIONS.get(kind)))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        }
    }
}
