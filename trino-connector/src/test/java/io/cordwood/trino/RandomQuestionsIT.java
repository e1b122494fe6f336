package io.cordwood.trino;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The search service answers random questions about hot and cold rows as SQL does.
 *
 * <p>The witness is Trino's own evaluation: the documentation of searches says what a search means in SQL, and a window
 * function below the condition keeps it from the connector, whose predicates, index and full text the search service
 * shares. {@code -Dcordwood.test.questions.seed=N} asks one question again.
 */
class RandomQuestionsIT {
    private static final int QUICK = 24;
    private static final int ALL = 1_000;
    private static final int ASPECTS = 4;
    private static final int MAX_MESSAGE = 4_000;
    private static final int MAX_PAGES = 20;
    private static final int MAX_HISTOGRAM_VALUES = 20;
    /** So many short values of a bucket are counted exactly. */
    private static final int FEW_VALUES = 300;

    private static final int EVERY_ROW = 100_000;
    private static final int RECORDS_OF_MANY = 60;
    private static final DateTimeFormatter SHOWN_TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final String ORDER = "ORDER BY ts, \"$kafka_partition\", \"$kafka_offset\", \"$kafka_ordinal\"";
    /** All rows with their places. No condition passes the window function. */
    private static final String PLACED = "(SELECT *, row_number() OVER (%s) AS place FROM logs)".formatted(ORDER);

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;
    private static SampleTopic topic;
    private static SearchClient search;
    /** All columns of each row as the search service shows them. */
    private static Map<Long, ObjectNode> shown;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(
                home, Map.of("cordwood.kafka-bootstrap-servers", kafka.address(), "cordwood.streams", "logs"));
        topic = SampleTopic.create(kafka, "logs", 2);
        Random random = new Random(11);
        TwoTiers.fill(runner, topic, RandomRows.COLUMNS, random, RandomRows::shipped, RandomRows::stored);
        for (int i = 0; i < RECORDS_OF_MANY; i++) {
            topic.send("acme", i % 2, RandomRows.record(random, 20_000 + 4 * i));
        }
        // In a catalog without Kafka: no job is here to flush what a deletion waits for
        runner.addCatalog("cold", Map.of("cordwood.streams", "logs"));
        runner.rows("DELETE FROM cold.acme.logs WHERE n BETWEEN 4000 AND 4100");
        search = SearchClient.start(runner.catalogUri(), kafka.address());
        shown = shown();
    }

    @AfterAll
    static void stop() throws Exception {
        search.close();
        topic.close();
        runner.close();
        kafka.close();
    }

    @Test
    void someQuestions() throws Exception {
        Optional<Long> one = Optional.ofNullable(Long.getLong("cordwood.test.questions.seed"));
        if (one.isPresent()) {
            askAll(LongStream.of(one.get()), ASPECTS);
        } else {
            askAll(LongStream.range(0, QUICK), 1);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void aThousandQuestions() throws Exception {
        askAll(LongStream.range(QUICK, QUICK + ALL), ASPECTS);
    }

    private static void askAll(LongStream seeds, int aspects) throws Exception {
        List<String> failures = new ArrayList<>();
        for (long seed : seeds.toArray()) {
            try {
                ask(seed, aspects);
            } catch (AssertionError e) {
                String message = e.getMessage();
                failures.add(message.substring(0, Math.min(MAX_MESSAGE, message.length())));
            }
        }
        assertThat(failures).isEmpty();
    }

    /** @param aspects how many of the four answers beside the rows are compared, in turn */
    private static void ask(long seed, int aspects) throws Exception {
        RandomQuestion question = RandomQuestion.of(seed);
        try {
            List<JsonNode> found = assertRows(question);
            for (int i = 0; i < aspects; i++) {
                switch ((int) (seed + i) % ASPECTS) {
                    case 0 -> assertExplained(question, numbers(found));
                    case 1 -> assertHistogram(question.forHistogram());
                    case 2 -> assertValues(question);
                    default -> {
                        if (!found.isEmpty()) {
                            assertContext(question, found.get(new Random(seed).nextInt(found.size())));
                        }
                    }
                }
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "-Dcordwood.test.questions.seed=%d: %s%nin SQL: %s%n%s"
                            .formatted(seed, question.condition(), question.sql(), e.getMessage()),
                    e);
        }
    }

    /** Page by page; returns the rows. */
    private static List<JsonNode> assertRows(RandomQuestion question) throws Exception {
        String direction = question.newestFirst() ? "DESC" : "ASC";
        List<Long> expected =
                numbers("SELECT n FROM %s WHERE %s ORDER BY place %s".formatted(PLACED, question.sql(), direction));
        int limit = Math.max(question.limit(), expected.size() / MAX_PAGES);
        Map<String, Object> request = new LinkedHashMap<>(question.condition());
        List<String> columns = new ArrayList<>(question.columns());
        if (!columns.contains("n")) {
            columns.add("n");
        }
        request.put("columns", columns);
        request.put("order", direction.toLowerCase(Locale.ROOT));
        request.put("limit", limit);
        List<JsonNode> found = new ArrayList<>();
        Optional<String> after;
        do {
            List<JsonNode> lines = search.ask("search", request);
            found.addAll(lines.subList(0, lines.size() - 1));
            after = Optional.of(lines.getLast().path("after").asText("")).filter(text -> !text.isEmpty());
            assertThat(after.isPresent()).as("a next page").isEqualTo(lines.size() - 1 == limit);
            after.ifPresent(cursor -> request.put("after", cursor));
        } while (after.isPresent());
        assertThat(numbers(found)).as("rows, %d a page", limit).isEqualTo(expected);
        for (JsonNode row : found) {
            ObjectNode values = row.deepCopy();
            values.remove("_cursor");
            assertThat((JsonNode) values)
                    .isEqualTo(shown.get(row.path("n").asLong()).deepCopy().retain(columns));
        }
        return found;
    }

    private static void assertExplained(RandomQuestion question, List<Long> rows) throws Exception {
        Map<String, Object> request = new LinkedHashMap<>(question.condition());
        request.put("columns", List.of("n"));
        request.put("limit", EVERY_ROW);
        JsonNode explained = search.ask("explain", request).getFirst();
        assertThat(explained.path("rows").asInt()).isEqualTo(rows.size());
        String sql = explained.path("sql").asText();
        assertThat(numbers(sql).stream().sorted().toList())
                .as("%s", sql)
                .isEqualTo(rows.stream().sorted().toList());
    }

    private static void assertHistogram(RandomQuestion question) throws Exception {
        long interval = question.interval();
        Map<String, Object> request = new LinkedHashMap<>(question.condition());
        request.put("interval", interval + "ms");
        question.by().ifPresent(by -> request.put("by", by.name()));
        Map<Long, Map<Object, Long>> expected = new HashMap<>();
        String millis = "date_diff('millisecond', TIMESTAMP '1970-01-01 00:00:00 UTC', ts)";
        runner.rows("SELECT %1$s - mod(%1$s, %2$d), %3$s, count(*) FROM %4$s WHERE %5$s GROUP BY 1, 2"
                        .formatted(
                                millis,
                                interval,
                                question.by().map(AskedColumn::sql).orElse("CAST(NULL AS varchar)"),
                                PLACED,
                                question.sql()))
                .forEach(row -> expected.computeIfAbsent((Long) row.get(0), any -> new HashMap<>())
                        .put(AnsweredValues.ofSql(row.get(1)), (Long) row.get(2)));
        JsonNode histogram = search.ask("histogram", request).getFirst();
        boolean isApproximate = histogram.path("approximate").asBoolean(false);
        if (isApproximate) {
            assertThat(expected.values()).anyMatch(counts -> counts.size() > FEW_VALUES);
        }
        JsonNode buckets = histogram.path("buckets");
        if (!question.search().namesTime()) {
            // Else the search has times of its own, within these
            assertThat(AnsweredValues.millis(buckets.path(0).path("start")))
                    .isEqualTo(Math.floorDiv(question.from().orElseThrow(), interval * 1000) * interval);
            assertThat((AnsweredValues.millis(buckets.path(buckets.size() - 1).path("start")) + interval) * 1000)
                    .isBetween(question.to().orElseThrow(), question.to().orElseThrow() + interval * 1000 - 1);
        }
        long next =
                buckets.isEmpty() ? 0 : AnsweredValues.millis(buckets.path(0).path("start"));
        for (JsonNode bucket : buckets) {
            long start = AnsweredValues.millis(bucket.path("start"));
            assertThat(start).isEqualTo(next);
            next += interval;
            Map<Object, Long> counts = Objects.requireNonNullElse(expected.remove(start), Map.of());
            AnsweredValues found = AnsweredValues.of(question.by().orElse(AskedColumn.NONE), bucket.path("counts"));
            if (question.by().isEmpty()) {
                assertThat(found.counts())
                        .as("rows at %d", start)
                        .isEqualTo(counts.isEmpty() ? Map.of(Optional.empty(), 0L) : counts);
            } else if (isApproximate) {
                found.assertLowerBounds(counts);
            } else {
                found.assertMostFrequent(
                        counts, MAX_HISTOGRAM_VALUES, bucket.path("other").asLong(0));
            }
        }
        assertThat(expected).as("rows outside the buckets").isEmpty();
    }

    private static void assertValues(RandomQuestion question) throws Exception {
        Map<String, Object> request = new LinkedHashMap<>(question.condition());
        request.put("column", question.values().name());
        int limit = Math.min(1_000, question.limit());
        request.put("limit", limit);
        Map<Object, Long> expected = new HashMap<>();
        runner.rows("SELECT %s, count(*) FROM %s WHERE %s GROUP BY 1"
                        .formatted(question.values().sql(), PLACED, question.sql()))
                .forEach(row -> expected.put(AnsweredValues.ofSql(row.get(0)), (Long) row.get(1)));
        JsonNode values = search.ask("values", request).getFirst();
        long nulls = Objects.requireNonNullElse(expected.remove(Optional.empty()), 0L);
        assertThat(values.path("null_count").asLong()).as("nulls").isEqualTo(nulls);
        assertThat(values.path("distinct").asInt()).as("distinct values").isEqualTo(expected.size());
        assertThat(values.path("approximate").asBoolean()).isFalse();
        AnsweredValues.of(question.values(), values.path("values")).assertMostFrequent(expected, limit);
    }

    private static void assertContext(RandomQuestion question, JsonNode row) throws Exception {
        long n = row.path("n").asLong();
        String partition = question.same().isEmpty()
                ? ""
                : question.same().stream().map(AskedColumn::sql).collect(joining(", ", "PARTITION BY ", ""));
        List<Long> expected = numbers("""
                SELECT n FROM (
                    SELECT n, place, max(CASE WHEN n = %1$d THEN place END) OVER (%2$s) AS here
                    FROM (SELECT *, row_number() OVER (%2$s %3$s) AS place FROM logs))
                WHERE place BETWEEN here - %4$d AND here + %5$d ORDER BY place
                """.formatted(n, partition, ORDER, question.before(), question.after()));
        List<JsonNode> lines = search.ask(
                "context",
                Map.of(
                        "row",
                        row.path("_cursor").asText(),
                        "before",
                        question.before(),
                        "after",
                        question.after(),
                        "same",
                        question.same().stream().map(AskedColumn::name).toList()));
        assertThat(numbers(lines.subList(0, lines.size() - 1)))
                .as("rows around %d, same %s", n, question.same())
                .isEqualTo(expected);
    }

    private static Map<Long, ObjectNode> shown() {
        Map<Long, ObjectNode> rows = new HashMap<>();
        List<String> names = RandomRows.asked().stream()
                .filter(AskedColumn::isStored)
                .map(AskedColumn::name)
                .toList();
        String columns = names.stream().map(name -> '"' + name + '"').collect(joining(", "));
        for (List<Object> row : runner.rows("SELECT %s FROM logs".formatted(columns))) {
            ObjectNode values = SearchClient.JSON.createObjectNode();
            for (int i = 0; i < names.size(); i++) {
                Object value = row.get(i) instanceof ZonedDateTime time ? SHOWN_TIME.format(time) : row.get(i);
                if (value != null) {
                    values.putPOJO(names.get(i), value);
                }
            }
            rows.put(values.path("n").asLong(), (ObjectNode) SearchClient.parse(values.toString()));
        }
        return rows;
    }

    private static List<Long> numbers(String sql) {
        return runner.rows(sql).stream().map(row -> (Long) row.getFirst()).toList();
    }

    private static List<Long> numbers(List<JsonNode> rows) {
        return rows.stream().map(row -> row.path("n").asLong()).toList();
    }
}
