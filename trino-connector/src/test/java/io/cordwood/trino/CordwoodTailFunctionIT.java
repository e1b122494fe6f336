package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table function {@code system.tail} gives the rows that {@code ORDER BY ... DESC LIMIT n} gives, hot and cold. */
class CordwoodTailFunctionIT {
    private static final List<ColumnDefinition> COLUMNS = List.of(
            ColumnDefinition.of("n", ColumnType.BIGINT),
            ColumnDefinition.keyword("level"),
            ColumnDefinition.text("message"));

    /** What the engine finds without the connector's help. */
    private static final String NEWEST = """
            (SELECT * FROM logs WHERE %s
             ORDER BY ts DESC, "$kafka_partition" DESC, "$kafka_offset" DESC, "$kafka_ordinal" DESC LIMIT %d)""";

    private static final String TAIL = "TABLE(cordwood.system.tail(tenant => 'acme', rows => %d))";

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;
    private static SampleTopic topic;

    /** Cold rows of two partitions in several LogBlocks, hot rows of both, late ones among them; times repeat. */
    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(
                home,
                Map.of("cordwood.kafka-bootstrap-servers", kafka.address(), "cordwood.streams", "logs,empty,arriving"));
        topic = SampleTopic.create(kafka, "logs", 2);
        Random random = new Random(5);
        TwoTiers.fill(runner, topic, COLUMNS, random, CordwoodTailFunctionIT::rows, UnaryOperator.identity());
        topic.send("other", 0, rows(random, 50_000, 300, 20));
        assertThat(runner.rows("SELECT \"$tier\", count(*) FROM logs GROUP BY 1 ORDER BY 1"))
                .containsExactly(List.of("cold", 9_000L), List.of("hot", 3_000L));
    }

    @AfterAll
    static void stop() throws Exception {
        topic.close();
        runner.close();
        kafka.close();
    }

    /** Most are of the batch's own time, some far older; there are some hundred different times. */
    private static List<SampleRow> rows(Random random, int first, int count, int batch) {
        List<SampleRow> rows = new ArrayList<>();
        for (int n = first; n < first + count; n++) {
            int late = random.nextInt(10) == 0 ? random.nextInt(batch + 1) : 0;
            rows.add(new SampleRow(
                    SampleLogs.START_MICROS + (batch - late) * 1_000_000L + random.nextInt(40),
                    Map.of(
                            "n",
                            (long) n,
                            "level",
                            n % 7 == 0 ? "fatal error" : n % 3 == 0 ? "ERROR" : "INFO",
                            "message",
                            n % 5 == 0 ? "disk full " + n : "row " + n)));
        }
        return rows;
    }

    @Test
    void newestRowsOfAllPartitionsAndTiersInTimeOrder() {
        for (int count : List.of(1, 2, 39, 100, 1_000, 2_999, 3_500, 11_999, 12_000, 100_000)) {
            assertThat(runner.rows("SELECT * FROM " + TAIL.formatted(count)))
                    .as("%d rows", count)
                    .isEqualTo(newest("true", count));
        }
        assertThat(runner.rows("SELECT * FROM TABLE(cordwood.system.tail('acme'))"))
                .isEqualTo(newest("true", 100));
        assertThat(runner.rows("SELECT count(*) FROM TABLE(cordwood.system.tail('acme', 'empty'))"))
                .containsExactly(List.of(0L));
    }

    @Test
    void coldRowsAlone() {
        Session cold = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "hot_tail", "off")
                .build();
        assertThat(runner.rows(cold, "SELECT * FROM " + TAIL.formatted(123))).isEqualTo(newest(cold, "true", 123));
    }

    /** None of these may change which rows are the newest. */
    @Test
    void whatStandsAroundItIsEvaluatedOnItsRows() {
        for (String query : List.of(
                "SELECT n FROM %s AS t WHERE level = 'ERROR' ORDER BY n",
                "SELECT n FROM %s AS t WHERE level = 'ERROR' AND n > 11500 AND message LIKE 'row%%' ORDER BY n",
                "SELECT n FROM %s AS t WHERE match(message, 'disk') ORDER BY n",
                "SELECT n FROM %s AS t WHERE ts < TIMESTAMP '2026-01-10 00:00:11.000020 UTC' ORDER BY n",
                "SELECT n FROM %s AS t WHERE tenant_id = 'other'",
                "SELECT n, match(message, 'full') FROM %s AS t ORDER BY ts DESC, n LIMIT 5",
                "SELECT n FROM %s AS t ORDER BY n LIMIT 3",
                "SELECT count(*) FROM %s AS t",
                "SELECT count(*), max(n) FROM %s AS t WHERE NOT match(message, 'disk')",
                "SELECT date_trunc('second', ts), count(*) FROM %s AS t GROUP BY 1 ORDER BY 1",
                "SELECT level, count(*) FROM %s AS t GROUP BY 1 ORDER BY 1",
                "SELECT t.n FROM %s AS t JOIN (VALUES 'ERROR') AS v(level) ON t.level = v.level ORDER BY 1",
                "SELECT count(*) FROM %s AS t JOIN logs ON t.n = logs.n WHERE logs.level = 'INFO'",
                "SELECT count(*) FROM (SELECT n FROM %s AS t LIMIT 17) AS limited")) {
            for (int count : List.of(50, 4_000)) {
                assertThat(runner.rows(query.formatted(TAIL.formatted(count))))
                        .as(query)
                        .isEqualTo(runner.rows(alone(), query.formatted(NEWEST.formatted("true", count))));
            }
        }
        // Of a keyword column the whole value counts
        assertThat(runner.rows("SELECT DISTINCT level FROM " + TAIL.formatted(500) + " WHERE match(level, 'error')"))
                .containsExactly(List.of("ERROR"));
        assertThat(runner.rows("SELECT count(*) FROM (SELECT n FROM " + TAIL.formatted(500) + " LIMIT 9)"))
                .containsExactly(List.of(9L));
    }

    @Test
    void matchChoosesAmongAllRows() {
        assertThat(
                        runner.rows(
                                "SELECT * FROM TABLE(cordwood.system.tail(tenant => 'acme', rows => 700, match => 'disk NOT 45'))"))
                .isEqualTo(newest("match(message, 'disk NOT 45')", 700));
        assertThat(
                        runner.rows(
                                "SELECT * FROM TABLE(cordwood.system.tail(tenant => 'acme', match => 'error', column => 'level'))"))
                .isEqualTo(newest("match(level, 'error')", 100));
        assertThat(runner.rows(
                        "SELECT n FROM TABLE(cordwood.system.tail(tenant => 'acme', match => '\"disk full 15\"'))"))
                .containsExactly(List.of(15L));
    }

    @Test
    void aTenantWithoutATableIsFoundInKafka() throws Exception {
        try (SampleTopic arriving = SampleTopic.create(kafka, "arriving", 2)) {
            arriving.send("Brand new", 1, rows(new Random(1), 0, 5, 0));
            assertThat(runner.rows("SELECT count(*), max(CAST(attributes['n'] AS bigint))"
                            + " FROM TABLE(cordwood.system.tail(tenant => 'Brand new', stream => 'arriving'))"))
                    .containsExactly(List.of(5L, 4L));
        }
    }

    @Test
    void workGrowsWithTheRowsAskedFor() {
        String few = "SELECT n FROM " + TAIL.formatted(10);
        Session cold = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "hot_tail", "off")
                .build();
        assertThat(ScanMetrics.of(runner, cold, few).get("LogBlocks opened"))
                .isPositive()
                .isLessThan(ScanMetrics.of(runner, cold, "SELECT n FROM logs").get("LogBlocks opened"));
        // Enough rows are hot, and newer
        assertThat(ScanMetrics.of(runner, runner.trino().getDefaultSession(), few)
                        .get("LogBlocks opened"))
                .isZero();
    }

    @Test
    void whatCannotBeAskedForIsSaid() {
        assertError("tenant => 'acme', rows => 0", "argument rows: 0 is not between 1 and 1000000");
        assertError("tenant => 'acme', rows => -1", "argument rows: -1 is not between");
        assertError("tenant => 'acme', rows => NULL", "argument rows: null is not between");
        assertError("tenant => 'acme', rows => 1000001", "argument rows");
        assertError("tenant => 'nobody'", "argument tenant: there is no tenant 'nobody' with rows in stream 'logs'");
        assertError("tenant => ''", "argument tenant: Tenant id has 0 bytes");
        assertError("tenant => NULL", "argument tenant: it must not be null");
        assertError("tenant => 'all_tenants'", "there is no tenant 'all_tenants'");
        assertError("tenant => 'acme', stream => 'nothing'", "there is no stream 'nothing'; streams are: logs, empty");
        assertError("tenant => 'acme', stream => NULL", "argument stream: it must not be null");
        assertError("tenant => 'acme', match => '(disk'", "disk");
        assertError("tenant => 'acme', match => 'x', column => 'text'", "table acme.logs has no column 'text'");
        assertError("tenant => 'acme', match => '5', column => 'n'", "column 'n' is bigint, not text");
        assertThatThrownBy(() -> runner.rows("SELECT * FROM TABLE(cordwood.system.tail(rows => 5))"))
                .hasMessageContaining("TENANT");
    }

    private static void assertError(String arguments, String message) {
        assertThatThrownBy(() -> runner.rows("SELECT * FROM TABLE(cordwood.system.tail(" + arguments + "))"))
                .as(arguments)
                .hasMessageContaining(message);
    }

    private static List<List<Object>> newest(String condition, int count) {
        return newest(alone(), condition, count);
    }

    private static List<List<Object>> newest(Session session, String condition, int count) {
        List<List<Object>> rows = new ArrayList<>(runner.rows(session, NEWEST.formatted(condition, count)));
        Collections.reverse(rows);
        return rows;
    }

    private static Session alone() {
        return Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "push_topn", "false")
                .build();
    }
}
