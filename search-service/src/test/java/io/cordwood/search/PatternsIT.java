package io.cordwood.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patterns over HTTP are what grouping the shipped lines by their known templates gives. */
class PatternsIT {
    private static final Instant START = Instant.parse("2026-01-10T12:00:00Z");
    private static final Instant END = START.plusSeconds(60);
    private static final List<String> TEMPLATES = List.of(
            "connection from <ip> reset after <num> ms",
            "user <*> logged in from <ip>",
            "GET <*> HTTP/<num> status=<num>",
            "job <uuid> finished",
            "cache miss");

    /** A shipped row; the template is its known one. */
    private record Shipped(Instant ts, String template, String message) {
        Map<String, Object> row() {
            return Map.of("ts", ts.toString(), "message", message, "level", "INFO", "size", 5);
        }
    }

    @TempDir
    private static Path home;

    private static SearchFixture fixture;
    private static final List<Shipped> SHIPPED = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        fixture = SearchFixture.start(home);
        fixture.createTable(
                "acme",
                ColumnDefinition.keyword("level"),
                ColumnDefinition.of("size", ColumnType.BIGINT),
                ColumnDefinition.text("message"));
        fixture.createTable("keywords", ColumnDefinition.keyword("level"));
        fixture.createTable("odd", ColumnDefinition.text("message"));
        Random random = new Random(7);
        for (int i = 0; i < 3000; i++) {
            String template = TEMPLATES.get(Math.min(random.nextInt(6), random.nextInt(5)) % TEMPLATES.size());
            Instant ts = START.minusSeconds(60).plusMillis(random.nextInt(120_000));
            SHIPPED.add(new Shipped(ts, template, line(random, template)));
        }
        fixture.ship("acme", SHIPPED.stream().map(Shipped::row).toList());
        fixture.ship("keywords", List.of(Map.of("level", "INFO")));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    private static String line(Random random, String template) {
        return template.replace("<num>", Integer.toString(random.nextInt(10_000)))
                .replace("<ip>", "10.0.%d.%d".formatted(random.nextInt(256), random.nextInt(256)))
                .replace("<uuid>", "%08x-0000-4000-8000-%012x".formatted(random.nextInt(), random.nextInt(1 << 30)))
                .replace(
                        "<*>",
                        "/" + Character.toString('a' + random.nextInt(26)) + "/" + "xyz".charAt(random.nextInt(3)));
    }

    @Test
    void countsOfKnownTemplatesNowAndBefore() throws Exception {
        JsonNode answer = patterns("acme", "{\"from\":\"%s\",\"to\":\"%s\"}".formatted(START, END));
        Map<String, List<Shipped>> now = new TreeMap<>();
        Map<String, Long> before = new HashMap<>();
        for (Shipped row : SHIPPED) {
            if (row.ts().isBefore(START)) {
                before.merge(row.template(), 1L, Long::sum);
            } else {
                now.computeIfAbsent(row.template(), any -> new ArrayList<>()).add(row);
            }
        }
        long rows = now.values().stream().mapToLong(List::size).sum();
        assertThat(answer.path("column").asText()).isEqualTo("message");
        assertThat(answer.path("count").asLong()).isEqualTo(rows);
        assertThat(answer.path("before").asLong()).isEqualTo(SHIPPED.size() - rows);
        assertThat(answer.path("approximate").asBoolean()).isFalse();
        assertThat(answer.path("stats").path("elapsed_us").asLong()).isPositive();
        assertThat(answer.path("patterns")).hasSize(TEMPLATES.size());
        long last = Long.MAX_VALUE;
        for (JsonNode pattern : answer.path("patterns")) {
            String template = pattern.path("pattern").asText();
            assertThat(TEMPLATES).contains(template);
            List<Shipped> lines = now.get(template);
            assertThat(pattern.path("count").asLong()).isEqualTo(lines.size()).isLessThanOrEqualTo(last);
            last = lines.size();
            assertThat(pattern.path("before").asLong()).isEqualTo(before.get(template));
            assertThat(pattern.path("share").asDouble())
                    .isBetween((double) lines.size() / rows - 1e-6, (double) lines.size() / rows + 1e-6);
            assertThat(Instant.parse(pattern.path("first").asText()))
                    .isEqualTo(lines.stream()
                            .map(Shipped::ts)
                            .min(Comparator.naturalOrder())
                            .orElseThrow());
            assertThat(Instant.parse(pattern.path("last").asText()))
                    .isEqualTo(lines.stream()
                            .map(Shipped::ts)
                            .max(Comparator.naturalOrder())
                            .orElseThrow());
            JsonNode sample = pattern.path("sample");
            assertThat(lines.stream()
                            .filter(line -> line.ts()
                                    .equals(Instant.parse(sample.path("ts").asText())))
                            .map(Shipped::message))
                    .contains(sample.path("text").asText());
        }
    }

    @Test
    void rowsBeyondTheLimitAreCountedTogether() throws Exception {
        JsonNode all = patterns("acme", "{}");
        JsonNode two = patterns("acme", "{\"limit\":2}");
        assertThat(all.has("before"))
                .as("without from and to there is no time before")
                .isFalse();
        assertThat(two.path("patterns").get(0)).isEqualTo(all.path("patterns").get(0));
        assertThat(two.path("patterns").get(1)).isEqualTo(all.path("patterns").get(1));
        assertThat(two.path("other").path("patterns").asInt()).isEqualTo(TEMPLATES.size() - 2);
        assertThat(two.path("patterns").findValues("count").stream()
                                .mapToLong(JsonNode::asLong)
                                .sum()
                        + two.path("other").path("count").asLong())
                .isEqualTo(SHIPPED.size())
                .isEqualTo(two.path("count").asLong());
    }

    @Test
    void patternsOfTheRowsOfASearch() throws Exception {
        JsonNode answer = patterns("acme", "{\"query\":\"reset OR miss\",\"column\":\"MESSAGE\"}");
        assertThat(answer.path("patterns").findValuesAsText("pattern"))
                .containsExactlyInAnyOrder(TEMPLATES.getFirst(), TEMPLATES.getLast());
        // Of a column of keywords too, if it is named
        assertThat(patterns("acme", "{\"column\":\"level\"}").path("patterns").findValuesAsText("pattern"))
                .containsExactly("INFO");
    }

    @Test
    void oddLinesHavePatternsToo() throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        rows.add(Map.of("level", "no message"));
        rows.add(Map.of("message", ""));
        rows.add(Map.of("message", " \t\n "));
        for (int i = 0; i < 2; i++) {
            rows.add(Map.of("message", "x".repeat(900_000) + i));
            rows.add(Map.of("message", "token ".repeat(100_000) + i));
            rows.add(Map.of("message", "bell \u0007 \u0000 rings \ud83d\ude00 " + i));
        }
        fixture.ship("odd", rows);
        JsonNode answer = patterns("odd", "{}");
        assertThat(answer.path("count").asInt()).isEqualTo(rows.size());
        assertThat(answer.path("without_text").path("count").asInt()).isEqualTo(1);
        Map<String, Integer> counts = new HashMap<>();
        answer.path("patterns")
                .forEach(pattern -> counts.put(
                        pattern.path("pattern").asText().replaceAll("(?s)^(x{10}|token ).*(<...>)$", "$1..$2"),
                        pattern.path("count").asInt()));
        assertThat(counts)
                .isEqualTo(
                        Map.of("", 2, "xxxxxxxxxx..<...>", 2, "token ..<...>", 2, "bell rings \ud83d\ude00 <num>", 2));
        answer.path("patterns")
                .findValuesAsText("text")
                .forEach(text -> assertThat(text.length()).isLessThan(600));
    }

    @Test
    void errorsNameTheColumns() throws Exception {
        assertError("acme", "{\"column\":\"nosuch\"}", "no column 'nosuch'; name one of these columns: ");
        assertError("acme", "{\"column\":\"size\"}", "Column 'size' is bigint, not text");
        assertError("acme", "{\"column\":\"$path\"}", "no column '$path'");
        assertError("keywords", "{}", "no column that is searched as text; name one of these columns: ");
        assertError("acme", "{\"limit\":0}", "'limit'");
        assertError("acme", "{\"by\":\"level\"}", "no field 'by'");
    }

    private static void assertError(String tenant, String body, String message) throws Exception {
        HttpResponse<String> response = fixture.post(tenant, "patterns", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(SearchFixture.parse(response.body())
                        .path("error")
                        .path("message")
                        .asText())
                .contains(message);
    }

    private static JsonNode patterns(String tenant, String body) throws Exception {
        return SearchFixture.lines(fixture.post(tenant, "patterns", body)).getFirst();
    }
}
