package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.ColumnDefinition;
import io.trino.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a query opens does not grow with the number of LogBlocks where it need not. */
class CordwoodManyLogBlocksIT {
    private static final int ROWS = 50;
    private static final int FEW = 10;
    private static final int MANY = 100;
    /** LogBlocks of one commit, and so of one manifest. */
    private static final int IN_COMMIT = 10;

    private static final String ORDER = "ts DESC, \"$kafka_partition\", \"$kafka_offset\"";

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of());
        write("few", FEW);
        write("many", MANY);
        runner.tables()
                .write("small", "logs", 0, List.of(ColumnDefinition.keyword("host")), List.of(row(3, 7), row(3, 8)));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    /** LogBlocks of {@link #ROWS} rows, one after another in time. */
    private static void write(String tenant, int logBlocks) {
        for (int first = 0; first < logBlocks; first += IN_COMMIT) {
            runner.tables()
                    .writeAll(
                            tenant,
                            "logs",
                            0,
                            List.of(ColumnDefinition.keyword("host"), ColumnDefinition.text("message")),
                            IntStream.range(first, first + IN_COMMIT)
                                    .mapToObj(CordwoodManyLogBlocksIT::rows)
                                    .toList());
        }
    }

    private static List<SampleRow> rows(int logBlock) {
        return IntStream.range(0, ROWS).mapToObj(row -> row(logBlock, row)).toList();
    }

    private static SampleRow row(int logBlock, int row) {
        return new SampleRow(
                SampleLogs.START_MICROS + (logBlock * (long) ROWS + row) * 1_000_000,
                Map.of(
                        "host",
                        "host-%03d".formatted(logBlock),
                        "message",
                        "row " + row + (row % 5 == 0 ? " disk" : "")));
    }

    @Test
    void topNOpensAsManyOfManyAsOfFew() {
        for (String query : List.of(
                "SELECT ts, message FROM %s.logs ORDER BY ts DESC LIMIT 20",
                "SELECT ts, message FROM %s.logs ORDER BY " + ORDER + " LIMIT 20",
                "SELECT ts, message FROM %s.logs ORDER BY ts OFFSET 30 LIMIT 40",
                "SELECT ts, message FROM %s.logs ORDER BY " + ORDER + " OFFSET 30 LIMIT 40",
                "SELECT ts, message FROM %s.logs WHERE match(message, 'disk') ORDER BY ts DESC LIMIT 5",
                "SELECT ts, message FROM %s.logs WHERE match(message, 'disk') ORDER BY ts LIMIT 15",
                "SELECT ts, message FROM %s.logs WHERE match(message, 'disk') ORDER BY " + ORDER
                        + " OFFSET 10 LIMIT 15",
                "SELECT ts, message FROM all_tenants.logs WHERE tenant_id = '%s' ORDER BY ts DESC LIMIT 5")) {
            Map<String, Long> few = ScanMetrics.of(runner, query.formatted("few"));
            Map<String, Long> many = ScanMetrics.of(runner, query.formatted("many"));
            assertThat(many.get("LogBlocks opened"))
                    .as(query)
                    .isLessThanOrEqualTo(4)
                    .isEqualTo(few.get("LogBlocks opened"));
            assertThat(many.get("rows selected")).as(query).isEqualTo(few.get("rows selected"));
            assertSame(query.formatted("many"));
        }
    }

    @Test
    void topNGoesOnWhereTheFirstLogBlocksHaveTooFew() {
        assertSame(
                "SELECT ts, message FROM many.logs WHERE host IN ('host-003', 'host-050') ORDER BY ts DESC LIMIT 70");
        assertSame("SELECT ts, message FROM many.logs WHERE match(message, '45') ORDER BY ts LIMIT 70");
        assertSame("SELECT ts, message FROM many.logs WHERE match(message, '45') ORDER BY ts DESC LIMIT 1000");
        assertSame("SELECT ts, message FROM many.logs ORDER BY ts DESC LIMIT 3000");
    }

    private static void assertSame(String sql) {
        Session off = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "push_topn", "false")
                .build();
        assertThat(runner.rows(sql)).as(sql).isEqualTo(runner.rows(off, sql));
    }

    @Test
    void smallLogBlocksShareSplits() {
        String plan =
                (String) runner.rows("EXPLAIN ANALYZE VERBOSE SELECT count(*) FROM many.logs WHERE host LIKE '%7'")
                        .getFirst()
                        .getFirst();
        assertThat(plan).contains("'LogBlocks considered' = LongCount{total=100}");
        assertThat(runner.rows("SELECT count(*), count(DISTINCT host) FROM many.logs WHERE host LIKE '%7'"))
                .containsExactly(List.of(10L * ROWS, 10L));
    }

    @Test
    void joinsOpenWhatTheSmallSideAdmits() {
        Session waiting = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "dynamic_filtering_wait_timeout", "10m")
                .build();
        for (String column : List.of("host", "ts")) {
            String sql = "SELECT count(*) FROM many.logs m JOIN small.logs s ON m.%s = s.%s".formatted(column, column);
            Session off = Session.builder(runner.trino().getDefaultSession())
                    .setSystemProperty("enable_dynamic_filtering", "false")
                    .build();
            assertThat(runner.rows(sql)).isEqualTo(runner.rows(off, sql));
            Map<String, Long> metrics = ScanMetrics.of(runner, waiting, sql);
            // One of the large side, one of the small side
            assertThat(metrics.get("LogBlocks opened")).as(column).isEqualTo(2);
            assertThat(metrics.get("LogBlocks pruned by time") + metrics.get("LogBlocks pruned by statistics"))
                    .as(column)
                    .isEqualTo(MANY - 1L);
        }
    }
}
