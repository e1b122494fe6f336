package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.trino.config.CordwoodSessionProperties;
import io.trino.Session;
import io.trino.spi.session.PropertyMetadata;
import io.trino.sql.query.QueryAssertions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Conditions, limits and orders that the connector takes over give what the engine finds by itself, with every
 * optimisation on and with each switched off.
 */
class CordwoodFilterIT {
    /** The same rows, each column wrapped in what the connector does not understand. */
    static final String UNPUSHED = """
            (SELECT concat(tenant_id, '') AS tenant_id, ts + INTERVAL '0' SECOND AS ts, concat(level, '') AS level,
                    concat("host.name", '') AS "host.name", concat(message, '') AS message, status + 0 AS status,
                    latency * 1e0 AS latency, if(random() < 2, fail) AS fail, size * 1e0 AS size,
                    concat("$tier", '') AS "$tier", "$kafka_partition" + 0 AS "$kafka_partition",
                    "$kafka_offset" + 0 AS "$kafka_offset"
             FROM logs)""";

    /** 1,000 values, of which some occur. */
    private static final String MANY_HOSTS = IntStream.range(0, 1000)
            .mapToObj(i -> "'host-" + (i * 7) + "'")
            .collect(Collectors.joining(", ", "\"host.name\" IN (", ")"));

    private static final String MANY_NUMBERS = IntStream.range(0, 1000)
            .mapToObj(i -> Integer.toString(i * 4))
            .collect(Collectors.joining(", ", "status IN (", ")"));

    /** What tells rows apart. */
    private static final String ROW = "ROW(ts, \"$kafka_partition\", \"$kafka_offset\")";

    /** The session properties that switch an optimisation off: all that are boolean. */
    static final List<String> SWITCHES = CordwoodSessionProperties.all().stream()
            .filter(property -> property.getJavaType() == Boolean.class)
            .map(PropertyMetadata::getName)
            .toList();

    static final List<String> CONDITIONS = List.of(
            // The engine nests the conjunction of what is not pushed down
            "lower(level) LIKE 'f%' AND to_unixtime(ts) * 1000000 BETWEEN 1E0 AND 1768100000000000E0",
            "NOT coalesce(status >= 404, false) AND latency * 2 BETWEEN -9E0 AND 9E0",
            "level = 'INFO'",
            "level <> 'INFO'",
            "level IN ('info', 'WARN', '', 'nowhere')",
            "level NOT IN ('info', 'WARN')",
            "level > 'J'",
            "level BETWEEN 'A' AND 'J'",
            "level IS NULL",
            "level IS NOT NULL",
            "level LIKE 'in%'",
            "level LIKE '%al er%'",
            "level LIKE '50!%!_%' ESCAPE '!'",
            "level LIKE '_NFO'",
            "level NOT LIKE '%o'",
            "starts_with(level, '50%_')",
            "match(level, 'info')",
            "match(level, 'error')",
            "match(level, '\"fatal error\"')",
            "match(level, 'inf* OR NOT warn')",
            "\"host.name\" = 'host-7'",
            "match(\"host.name\", 'host-7')",
            "match(\"host.name\", 'host')",
            "message = 'disk full'",
            "message LIKE '%timeout%'",
            "message LIKE 'disk%'",
            "match(message, 'disk')",
            "match(message, 'disk full')",
            "match(message, '\"disk full\"')",
            "match(message, '\"connection re*\"')",
            "match(message, '10.0.0.1')",
            "match(message, 'user_id')",
            "match(message, '日')",
            "match(message, 'tim* NOT (disk OR 42)')",
            "match(message, 'ärger')",
            "NOT match(message, 'disk')",
            "status = 404",
            "status <> 404",
            "status >= 500",
            "status < 0",
            "status IN (1, 200, 9223372036854775807)",
            "status IS NULL",
            "status BETWEEN -1 AND 200",
            "latency = 0e0",
            "latency <> 0e0",
            "latency > 1e0",
            "latency <= -2.25e0",
            "NOT (latency < 1e0)",
            "NOT (latency >= 1e0)",
            "latency < 1e0 OR latency >= 1e0",
            "latency = nan()",
            "latency <> nan()",
            "latency IN (1.5e0, -0e0, infinity())",
            "latency BETWEEN nan() AND 1e0 OR status = 404",
            "NOT (latency BETWEEN 0e0 AND nan()) OR status = 404",
            "latency IS NOT NULL",
            "is_nan(latency)",
            "fail",
            "NOT fail",
            "fail = false",
            "fail IS NULL",
            "fail IS DISTINCT FROM true",
            "size = 1e0",
            "size > 9007199254740992e0",
            "size >= 9007199254740992e0",
            "size < 0.5e0",
            "size <> 200e0",
            "NOT (size > 1e0)",
            "size IS NULL",
            "size IS NOT NULL",
            "size IN (1e0, 1.5e0, 404e0)",
            "size BETWEEN 0e0 AND 500e0",
            "ts >= TIMESTAMP '2026-01-11 00:00:00 UTC'",
            "ts < TIMESTAMP '2026-01-10 03:00:00.5 UTC'",
            "ts BETWEEN TIMESTAMP '2026-01-10 10:00:00 UTC' AND TIMESTAMP '2026-01-10 15:00:00 UTC'",
            "ts = TIMESTAMP '2026-01-10 00:00:10 UTC'",
            "ts <> TIMESTAMP '2026-01-10 00:00:10 UTC'",
            "ts IN (TIMESTAMP '2026-01-10 00:00:10 UTC', TIMESTAMP '2026-01-10 00:00:20 UTC')",
            "(ts < TIMESTAMP '2026-01-10 01:00:00 UTC' OR ts > TIMESTAMP '2026-01-11 01:00:00 UTC')",
            "date_trunc('hour', ts) = TIMESTAMP '2026-01-10 02:00:00 UTC'",
            "tenant_id = 'acme'",
            "tenant_id <> 'acme'",
            "tenant_id LIKE 'ac%'",
            "\"$tier\" = 'cold'",
            "\"$tier\" IN ('hot', 'warm')",
            "\"$kafka_partition\" = 1",
            "\"$kafka_offset\" BETWEEN 5 AND 1100");

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of());
        SampleLogs.write(runner.tables(), "acme", 6_000, 5);
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    @Test
    void eachConditionGivesWhatTheEngineFinds() {
        assertSameRows(runner, runner.trino().getDefaultSession(), CONDITIONS);
    }

    @Test
    void longListsGiveWhatTheEngineFinds() {
        assertSameRows(
                runner,
                runner.trino().getDefaultSession(),
                List.of(
                        MANY_HOSTS,
                        MANY_NUMBERS,
                        "NOT (" + MANY_HOSTS + ")",
                        MANY_HOSTS + " AND " + MANY_NUMBERS,
                        "(" + MANY_HOSTS + " OR " + MANY_NUMBERS + ") AND message IS NOT NULL"));
    }

    @Test
    void combinedConditionsGiveWhatTheEngineFinds() {
        Random random = new Random(17);
        List<Session> sessions = Stream.concat(Stream.of(runner.trino().getDefaultSession()), withOneSwitchOff())
                .toList();
        for (Session session : sessions) {
            assertSameRows(
                    runner,
                    session,
                    Stream.generate(() -> combination(random, 2)).limit(6).toList());
        }
    }

    private static Stream<Session> withOneSwitchOff() {
        return SWITCHES.stream()
                .map(property -> Session.builder(runner.trino().getDefaultSession())
                        .setCatalogSessionProperty("cordwood", property, "false")
                        .build());
    }

    @Test
    void everySwitchLeavesAnswersAsTheyAre() {
        List<String> queries = List.of(
                "SELECT count(*), min(ts), max(ts) FROM logs",
                "SELECT level, count(*) FROM logs WHERE match(message, 'disk OR timeout') GROUP BY level ORDER BY level",
                "SELECT count(*), sum(status % 1000) FROM logs WHERE level = 'ERROR' AND ts >= TIMESTAMP '2026-01-11 00:00:00 UTC'",
                "SELECT date_bin(INTERVAL '1' HOUR, ts), count(*) FROM logs WHERE NOT fail GROUP BY 1 ORDER BY 1",
                "SELECT ts, \"$kafka_partition\", \"$kafka_offset\", message FROM logs ORDER BY ts DESC, \"$kafka_partition\", \"$kafka_offset\" LIMIT 37",
                "SELECT ts, \"$kafka_partition\", \"$kafka_offset\" FROM logs WHERE match(level, 'info') ORDER BY ts, \"$kafka_partition\" DESC, \"$kafka_offset\" LIMIT 23");
        List<List<List<Object>>> expected = queries.stream().map(runner::rows).toList();
        withOneSwitchOff().forEach(session -> {
            for (int i = 0; i < queries.size(); i++) {
                assertThat(runner.rows(session, queries.get(i)))
                        .as(queries.get(i))
                        .isEqualTo(expected.get(i));
            }
        });
    }

    @Test
    void topNGivesWhatSortingAllRowsGives() {
        for (String order : List.of(
                "ts DESC, \"$kafka_partition\", \"$kafka_offset\"",
                "ts, \"$kafka_partition\" DESC, \"$kafka_offset\" DESC",
                "ts DESC, message NULLS FIRST, \"$kafka_partition\", \"$kafka_offset\"")) {
            for (int limit : List.of(1, 10, 500, 100_000)) {
                String columns = "SELECT ts, \"$kafka_partition\", \"$kafka_offset\", message FROM ";
                String tail = " WHERE status <> 404 ORDER BY " + order + " LIMIT " + limit;
                assertThat(runner.rows(columns + "logs" + tail))
                        .as(tail)
                        .isEqualTo(runner.rows(columns + UNPUSHED + tail));
            }
        }
        assertThat(runner.rows("SELECT ts FROM logs ORDER BY ts DESC LIMIT 5"))
                .isEqualTo(runner.rows("SELECT ts FROM " + UNPUSHED + " ORDER BY ts DESC LIMIT 5"));
    }

    @Test
    void limitGivesThatManyMatchingRows() {
        assertThat(runner.rows("SELECT message FROM logs WHERE level = 'WARN' LIMIT 7"))
                .hasSize(7);
        assertThat(runner.rows("SELECT 1 FROM logs LIMIT 5000")).hasSize(5000);
    }

    @Test
    void conditionsAreTakenOverWholly() {
        // Closing it would close the server
        QueryAssertions assertions = new QueryAssertions(runner.trino());
        for (String condition : List.of(
                "match(message, 'disk') AND level = 'INFO' AND ts >= TIMESTAMP '2026-01-11 00:00:00 UTC'",
                "match(message, 'disk') OR level LIKE 'in%' OR status IN (1, 200) OR fail OR size IS NULL",
                "NOT (match(message, 'disk') AND status < 5)",
                MANY_HOSTS + " AND level IS NULL",
                MANY_HOSTS + " OR " + MANY_NUMBERS,
                "NOT (" + MANY_NUMBERS + ") OR level NOT LIKE 'I%' OR fail IS NOT NULL",
                "message LIKE '%disk%' AND latency > 1e0 AND starts_with(level, 'I')",
                "\"$tier\" = 'cold' AND \"$kafka_offset\" < 100 AND tenant_id = 'acme'")) {
            assertThat(assertions.query("SELECT ts, message FROM logs WHERE " + condition))
                    .as(condition)
                    .isFullyPushedDown();
        }
    }

    @Test
    void matchMeansTheSameInProjectionsAndBesideWhatIsNotTakenOver() {
        for (String match : List.of(
                "match(level, 'error')",
                "match(level, 'info')",
                "match(message, 'disk')",
                "match(\"host.name\", 'host')")) {
            List<List<Object>> expected = runner.rows("SELECT count(*) FROM logs WHERE " + match);
            assertThat(runner.rows("SELECT count_if(" + match + ") FROM logs")).isEqualTo(expected);
            assertThat(runner.rows("SELECT sum(CASE WHEN " + match + " THEN 1 ELSE 0 END) FROM logs"))
                    .isEqualTo(expected);
            assertThat(runner.rows("SELECT count(*) FROM logs WHERE " + match + " OR length(message) > 1000000"))
                    .isEqualTo(expected);
            assertThat(runner.rows("SELECT count(*) FROM (SELECT " + match + " AS m FROM logs) WHERE m"))
                    .isEqualTo(expected);
        }
        assertThat(runner.rows("SELECT count(*) FROM logs WHERE match(level, 'x') IS NULL"))
                .isEqualTo(runner.rows("SELECT count(*) FROM logs WHERE level IS NULL"));
        assertThat(runner.rows("SELECT count(*) - count(match(message, 'x')) FROM logs"))
                .isEqualTo(runner.rows("SELECT count(*) FROM logs WHERE message IS NULL"));
        assertThat(runner.rows("SELECT match('Disk FULL', 'full disk'), match(CAST(NULL AS varchar), 'x')")
                        .toString())
                .isEqualTo("[[true, null]]");
    }

    @Test
    void malformedQueriesSayWhere() {
        assertThatThrownBy(() -> runner.execute("SELECT * FROM logs WHERE match(message, '\"disk')"))
                .hasMessageContaining("match query")
                .hasMessageContaining("position");
        assertThatThrownBy(() -> runner.execute("SELECT match('a', '(b')")).hasMessageContaining("position");
    }

    @Test
    void largeLists() {
        String list = String.join(
                ", ",
                IntStream.range(0, 3000).mapToObj(i -> "'host-" + (i * 7) + "'").toList());
        assertSameRows(runner, runner.trino().getDefaultSession(), List.of("\"host.name\" IN (" + list + ")"));
    }

    @Test
    void joinsNarrowScans() {
        String join = "SELECT count(*) FROM %s l JOIN (VALUES ('host-3', 200), ('host-4', 404)) v(h, s)"
                + " ON l.\"host.name\" = v.h AND l.status = v.s";
        assertThat(runner.rows(join.formatted("logs"))).isEqualTo(runner.rows(join.formatted(UNPUSHED)));
    }

    @Test
    void histogramsByEveryForm() {
        List<List<Object>> expected = runner.rows("SELECT CAST(date_trunc('minute', ts) AS varchar), count(*) FROM logs"
                + " WHERE ts < TIMESTAMP '2026-01-10 03:00:00 UTC' GROUP BY 1 ORDER BY 1");
        assertThat(runner.rows("SELECT CAST(date_bin(INTERVAL '1' MINUTE, ts) AS varchar), count(*) FROM logs"
                        + " WHERE ts < TIMESTAMP '2026-01-10 03:00:00 UTC' GROUP BY 1 ORDER BY 1"))
                .isEqualTo(expected);
        assertThat(runner.rows("SELECT count(DISTINCT FROM_UNIXTIME(FLOOR(TO_UNIXTIME(ts)/60)*60)) FROM logs"
                        + " WHERE ts < TIMESTAMP '2026-01-10 03:00:00 UTC'"))
                .containsExactly(List.of((long) expected.size()));
        assertThat(runner.rows(
                        "SELECT CAST(date_bin(INTERVAL '15' MINUTE, TIMESTAMP '1969-12-31 23:59:59.123') AS varchar)"))
                .containsExactly(List.of("1969-12-31 23:45:00.000"));
    }

    private static String combination(Random random, int depth) {
        if (depth == 0 || random.nextInt(5) == 0) {
            return CONDITIONS.get(random.nextInt(CONDITIONS.size()));
        }
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            String term = combination(random, depth - 1);
            terms.add(random.nextInt(4) == 0 ? "NOT (" + term + ")" : "(" + term + ")");
        }
        return String.join(random.nextBoolean() ? " AND " : " OR ", terms);
    }

    /** Each condition in a query of its own against all in one, which the connector sees nothing of. */
    static void assertSameRows(CordwoodQueryRunner runner, Session session, List<String> conditions) {
        assertRows(runner, session, expectedRows(runner, conditions));
    }

    /** For each condition how many rows it selects, and a checksum of them. */
    static Map<String, List<Object>> expectedRows(CordwoodQueryRunner runner, List<String> conditions) {
        String aggregates = conditions.stream()
                .map(CordwoodFilterIT::unpushed)
                .map(condition ->
                        "count_if(%s), to_hex(checksum(%s) FILTER (WHERE %s))".formatted(condition, ROW, condition))
                .collect(Collectors.joining(", "));
        List<Object> values =
                runner.rows("SELECT " + aggregates + " FROM " + UNPUSHED).getFirst();
        Map<String, List<Object>> expected = new LinkedHashMap<>();
        for (int i = 0; i < conditions.size(); i++) {
            expected.put(conditions.get(i), values.subList(2 * i, 2 * i + 2));
        }
        return expected;
    }

    /** A condition on columns of which the engine does not know any more that they are keywords. */
    static String unpushed(String condition) {
        return condition
                .replace("match(level", "match_keyword(level")
                .replace("match(\"host.name\"", "match_keyword(\"host.name\"")
                .replace("match(tenant_id", "match_keyword(tenant_id");
    }

    static void assertRows(CordwoodQueryRunner runner, Session session, Map<String, List<Object>> expected) {
        expected.forEach((condition, rows) -> assertThat(runner.rows(
                        session, "SELECT count(*), to_hex(checksum(%s)) FROM logs WHERE %s".formatted(ROW, condition)))
                .as(condition)
                .containsExactly(rows));
    }
}
