package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.trino.Session;
import io.trino.sql.query.QueryAssertions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts by a keyword column that the connector makes are those that the engine makes. */
class CordwoodGroupsIT {
    private static final String OF_NO_ROW = "level = 'nowhere'";

    private static final List<String> CONDITIONS = List.of(
            "true",
            "match(message, 'disk')",
            "status = 404 OR level = 'INFO'",
            "level IS NULL",
            "size > 1e0",
            "ts >= TIMESTAMP '2026-01-10 03:07:10.5 UTC' AND ts < TIMESTAMP '2026-01-11 13:00:00 UTC'");

    private static final List<String> UNORDERED = List.of(
            "SELECT level, count(*) FROM logs WHERE %s GROUP BY level",
            "SELECT count(*), \"host.name\", count(*) * 2 FROM logs WHERE %s GROUP BY 2",
            "SELECT DISTINCT level FROM logs WHERE %s",
            "SELECT count(DISTINCT level) FROM logs WHERE %s",
            "SELECT level FROM logs WHERE %s GROUP BY level HAVING count(*) > 40",
            "SELECT upper(level), length(level), count(*) FROM logs WHERE %s GROUP BY level",
            "SELECT * FROM (SELECT level, count(*) AS c FROM logs WHERE %s GROUP BY 1) WHERE c > 3 AND level LIKE '%%f%%'",
            "SELECT * FROM (SELECT level, count(*) FROM logs WHERE %s GROUP BY 1) WHERE match(level, 'fatal') OR level = ''",
            "SELECT match(level, 'fatal'), c FROM (SELECT level, count(*) AS c FROM logs WHERE %s GROUP BY 1)",
            "SELECT max(c), min(level), count(*) FROM (SELECT level, count(*) AS c FROM logs WHERE %s GROUP BY 1)",
            "SELECT v, c FROM (VALUES 'INFO', 'x') t(v) LEFT JOIN (SELECT level, count(*) c FROM logs WHERE %s GROUP BY 1) ON v = level",
            "SELECT t.* FROM (SELECT level, count(*) c FROM logs WHERE %s GROUP BY 1) t JOIN (VALUES 'x', 'INFO') v(l) ON t.level = v.l");

    private static final List<String> ORDERED = List.of(
            "SELECT \"host.name\", count(*) FROM logs WHERE %s GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 7",
            "SELECT \"host.name\", count(*) FROM logs WHERE %s GROUP BY 1 ORDER BY 2, 1 DESC OFFSET 2 LIMIT 5",
            "SELECT count(*) FROM logs WHERE %s GROUP BY \"host.name\" ORDER BY \"host.name\" DESC NULLS FIRST LIMIT 3",
            "SELECT level, count(*) AS c FROM logs WHERE %s GROUP BY 1 ORDER BY level NULLS FIRST LIMIT 3",
            "SELECT DISTINCT level FROM logs WHERE %s ORDER BY level DESC NULLS LAST LIMIT 4",
            "SELECT level, count(*) FROM logs WHERE %s GROUP BY 1 HAVING count(*) > 20 ORDER BY 2 DESC, 1 LIMIT 2",
            "SELECT level, count(*) AS c FROM logs WHERE %s GROUP BY 1 ORDER BY c %% 7, level LIMIT 4");

    /** With how many conditions each query is tried, besides that of no row. */
    private static final int SOME = 2;

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of());
        SampleLogs.write(runner.tables(), "acme", 6_000, 9);
        SampleLogs.write(runner.tables(), "deleting", 2_000, 10);
        SampleLogs.write(runner.tables(), "many", 400, 11);
        List<SampleRow> traces = new ArrayList<>();
        for (int i = 0; i < 110_000; i++) {
            traces.add(new SampleRow(
                    SampleLogs.START_MICROS + i,
                    Map.of("trace.id", "t" + i, "path", "/%04d".formatted(i % 5_000), "level", "INFO")));
        }
        runner.tables()
                .write(
                        "traces",
                        "logs",
                        0,
                        List.of(
                                ColumnDefinition.keyword("trace.id"),
                                ColumnDefinition.keyword("path"),
                                ColumnDefinition.keyword("level")),
                        traces);
        runner.tables().write("many", "logs", 0, SampleLogs.COLUMNS, SampleLogs.rows(new Random(12), 100));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    private static Session session(boolean push) {
        return Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "push_aggregation", Boolean.toString(push))
                .build();
    }

    @Test
    void countsAreThoseOfTheEngine() {
        for (int i = 0; i < UNORDERED.size() + ORDERED.size(); i++) {
            boolean ordered = i >= UNORDERED.size();
            String query = ordered ? ORDERED.get(i - UNORDERED.size()) : UNORDERED.get(i);
            for (String condition : conditions(i)) {
                String sql = query.formatted(condition);
                List<List<Object>> expected = runner.rows(session(false), sql);
                List<List<Object>> counts = runner.rows(session(true), sql);
                if (ordered) {
                    assertThat(counts).as(sql).isEqualTo(expected);
                } else {
                    assertThat(counts).as(sql).containsExactlyInAnyOrderElementsOf(expected);
                }
            }
        }
        Stream.concat(UNORDERED.stream(), ORDERED.stream())
                .map(query -> query.formatted("match(message, 'disk')"))
                .forEach(sql -> assertThat(plan(sql)).as(sql).contains("groups="));
    }

    @Test
    void whatAJoinLearnsDoesNotChooseAmongTheRowsThatAreCounted() {
        String sql = """
                SELECT t.* FROM (SELECT level, count(*) AS c FROM logs GROUP BY 1 ORDER BY 2 %s, 1 LIMIT 3) t
                JOIN (SELECT upper(l) AS l FROM (VALUES 'info', 'warn', 'error') v(l) WHERE random() < 2) v ON t.level = v.l
                """;
        Session waiting = Session.builder(session(true))
                .setSystemProperty("join_distribution_type", "BROADCAST")
                .setSystemProperty("join_reordering_strategy", "NONE")
                .build();
        for (String direction : List.of("ASC", "DESC")) {
            assertThat(runner.rows(waiting, sql.formatted(direction)))
                    .as(direction)
                    .containsExactlyInAnyOrderElementsOf(runner.rows(session(false), sql.formatted(direction)));
        }
    }

    @Test
    void rowsThatWereDeletedAreNotCounted() {
        runner.rows("DELETE FROM deleting.logs WHERE match(message, 'disk') OR level = 'WARN'");
        String sql = "SELECT level, count(*) FROM deleting.logs GROUP BY 1";
        assertThat(plan(sql)).contains("groups=");
        assertThat(runner.rows(session(true), sql))
                .containsExactlyInAnyOrderElementsOf(runner.rows(session(false), sql))
                .noneMatch(row -> "WARN".equals(row.getFirst()));
    }

    @Test
    void countsAreTakenOverWholly() {
        // Closing it would close the server
        QueryAssertions assertions = new QueryAssertions(runner.trino());
        for (String sql : List.of(
                "SELECT level, count(*) FROM logs WHERE match(message, 'disk') GROUP BY level",
                "SELECT DISTINCT \"host.name\" FROM logs",
                "SELECT level, count(*) FROM traces.logs GROUP BY 1",
                "SELECT level, count(*) FROM logs WHERE status = 404 GROUP BY level ORDER BY 2 DESC LIMIT 10",
                "SELECT level FROM logs GROUP BY level ORDER BY count(*), level DESC LIMIT 3")) {
            assertThat(assertions.query(sql)).as(sql).isFullyPushedDown();
        }
    }

    @Test
    void whatIsLargeOrNoCountIsLeftToTheEngine() {
        for (String sql : List.of(
                "SELECT level, count(*) FROM many.logs GROUP BY level",
                "SELECT level, count(*) FROM all_tenants.logs GROUP BY level",
                "SELECT level, count(status) FROM logs GROUP BY level",
                "SELECT level, count(*) FILTER (WHERE fail) FROM logs GROUP BY level",
                "SELECT level, \"host.name\", count(*) FROM logs GROUP BY 1, 2",
                "SELECT message, count(*) FROM logs GROUP BY 1",
                "SELECT \"trace.id\", count(*) FROM traces.logs GROUP BY 1",
                "SELECT level, count(*) FROM traces.logs WHERE path LIKE '%7%' GROUP BY 1",
                "SELECT status, count(*) FROM logs GROUP BY 1",
                "SELECT count(*) FROM logs",
                "SELECT level, count(*) FROM (SELECT level FROM logs LIMIT 1000) GROUP BY level",
                "SELECT a.level, a.c FROM (SELECT level, count(*) AS c FROM logs GROUP BY 1) a JOIN many.logs b ON a.level = b.level")) {
            assertThat(plan(sql)).as(sql).doesNotContain("groups=");
        }
    }

    @Test
    void manyGroupsStayInOrder() {
        for (String sql : List.of(
                "SELECT path, count(*) FROM traces.logs GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 4500",
                "SELECT upper(path), count(*) FROM traces.logs GROUP BY path ORDER BY path DESC OFFSET 100 LIMIT 4000",
                "SELECT concat(path, 'x'), count(*) FROM traces.logs GROUP BY path ORDER BY 2, path LIMIT 200")) {
            assertThat(plan(sql)).as(sql).contains("groups=");
            for (String furtherStage : List.of("false", "true")) {
                Session session = Session.builder(session(true))
                        .setSystemProperty("force_single_node_output", furtherStage)
                        .build();
                assertThat(runner.rows(session, sql)).as(sql).isEqualTo(runner.rows(session(false), sql));
            }
        }
    }

    @Test
    void rowsToReadAreCountedWithinTheRequestedTime() {
        String sql = "SELECT level, count(*) FROM many.logs WHERE ts < TIMESTAMP '%s UTC' GROUP BY level";
        assertThat(plan(sql.formatted("2026-01-10 09:00:00"))).contains("groups=");
        assertThat(plan(sql.formatted("2026-01-20 00:00:00"))).doesNotContain("groups=");
    }

    /** Conditions for a query: that of no row, and some of the others. Each of these is tried with some queries. */
    private static List<String> conditions(int query) {
        return Stream.concat(
                        Stream.of(OF_NO_ROW),
                        IntStream.range(query, query + SOME).mapToObj(i -> CONDITIONS.get(i % CONDITIONS.size())))
                .toList();
    }

    private static String plan(String sql) {
        return (String) runner.rows(session(true), "EXPLAIN " + sql).getFirst().getFirst();
    }
}
