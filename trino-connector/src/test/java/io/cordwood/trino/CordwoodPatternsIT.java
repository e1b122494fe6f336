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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table function {@code system.patterns} counts what SQL counts by regular expressions, hot and cold. */
class CordwoodPatternsIT {
    private static final List<ColumnDefinition> COLUMNS = List.of(
            ColumnDefinition.of("n", ColumnType.BIGINT),
            ColumnDefinition.keyword("level"),
            ColumnDefinition.text("message"));

    /** What the patterns of these rows are, without any knowledge of mining. */
    private static final String NAIVE = """
            SELECT regexp_replace(regexp_replace(regexp_replace(message, '^user \\w+', 'user <*>'), '^ +$', ''), '\\d+',
                    '<num>') AS pattern, count(*), min(ts), max(ts)
            FROM acme.logs WHERE message IS NOT NULL AND %s GROUP BY 1 ORDER BY 2 DESC, 1""";

    private static final String ARRIVED = "TIMESTAMP '2026-01-10 00:00:06 UTC'";

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
                home, Map.of("cordwood.kafka-bootstrap-servers", kafka.address(), "cordwood.streams", "logs,empty"));
        topic = SampleTopic.create(kafka, "logs", 2);
        Random random = new Random(5);
        TwoTiers.fill(runner, topic, COLUMNS, random, CordwoodPatternsIT::rows, UnaryOperator.identity());
        assertThat(runner.rows("SELECT \"$tier\", count(*) FROM acme.logs GROUP BY 1 ORDER BY 1"))
                .containsExactly(List.of("cold", 9_000L), List.of("hot", 3_000L));
    }

    @AfterAll
    static void stop() throws Exception {
        topic.close();
        runner.close();
        kafka.close();
    }

    private static List<SampleRow> rows(Random random, int first, int count, int batch) {
        List<SampleRow> rows = new ArrayList<>();
        for (int n = first; n < first + count; n++) {
            Map<String, Object> values = new HashMap<>(Map.of("n", (long) n, "level", "INFO"));
            if (n % 17 != 0) {
                values.put("message", message(n));
            }
            int late = random.nextInt(10) == 0 ? random.nextInt(batch + 1) : 0;
            rows.add(new SampleRow(SampleLogs.START_MICROS + (batch - late) * 1_000_000L + random.nextInt(40), values));
        }
        return rows;
    }

    private static String message(int n) {
        return switch (n % 9) {
            case 0 -> "disk " + n % 4 + " full after " + n + " writes";
            case 1, 2, 3 -> "user " + Character.toString('a' + n % 20).repeat(3) + " read " + n + " rows";
            case 4 -> "all is well";
            case 5 -> n % 2 == 0 ? "" : "  ";
            default -> "request done in " + n + " ms";
        };
    }

    private static String call(String arguments) {
        return "TABLE(cordwood.system.patterns(tenant => 'acme'%s))".formatted(arguments);
    }

    @Test
    void countsAndTimesAreThoseOfSql() {
        assertThat(runner.rows("SELECT pattern, count, first, last FROM %s WHERE kind = 'pattern' ORDER BY 2 DESC, 1"
                        .formatted(call(""))))
                .hasSize(5)
                .isEqualTo(runner.rows(NAIVE.formatted("true")));
        assertThat(runner.rows("SELECT sum(count), round(sum(share), 9), count(before) FROM " + call("")))
                .containsExactly(List.of(12_000L, 1.0, 0L));
        assertThat(runner.rows("SELECT pattern IS NULL, count FROM %s WHERE kind = 'without text'".formatted(call(""))))
                .isEqualTo(runner.rows("SELECT true, count(*) FROM acme.logs WHERE message IS NULL"));
    }

    @Test
    void timesAndSearchesSelectRows() {
        String range =
                ", since => '2026-01-10T00:00:03Z', until => '2026-01-10T00:00:06Z', query => 'level:INFO -well'";
        assertThat(runner.rows("SELECT pattern, count, first, last FROM %s WHERE kind = 'pattern' ORDER BY 2 DESC, 1"
                        .formatted(call(range))))
                .hasSize(4)
                .isEqualTo(runner.rows(NAIVE.formatted("ts >= TIMESTAMP '2026-01-10 00:00:03 UTC' AND ts < " + ARRIVED
                        + " AND message <> 'all is well'")));
        String before = "ts >= TIMESTAMP '2026-01-10 00:00:00 UTC' AND ts < TIMESTAMP '2026-01-10 00:00:03 UTC'";
        assertThat(runner.rows("SELECT sum(before) FROM " + call(range)))
                .isEqualTo(runner.rows(
                        "SELECT count(*) FROM acme.logs WHERE coalesce(message <> 'all is well', true) AND " + before));
        assertThat(runner.rows("SELECT pattern, before FROM %s WHERE pattern LIKE 'disk%%'".formatted(call(range))))
                .isEqualTo(runner.rows(
                        "SELECT 'disk <num> full after <num> writes', count(*) FROM acme.logs WHERE message LIKE 'disk%' AND "
                                + before));
    }

    @Test
    void rowsBeyondTheLimitAreCountedTogether() {
        assertThat(runner.rows("SELECT kind, count(*) FROM %s GROUP BY 1 ORDER BY 1".formatted(call(", limit => 2"))))
                .containsExactly(List.of("other", 1L), List.of("pattern", 2L), List.of("without text", 1L));
        assertThat(runner.rows("SELECT sum(count) FROM " + call(", limit => 2")))
                .containsExactly(List.of(12_000L));
        assertThat(runner.rows("SELECT pattern, kind, count FROM " + call(", column => 'level'")))
                .containsExactly(List.of("INFO", "pattern", 12_000L));
        assertThat(runner.rows("SELECT * FROM " + call(", query => 'nosuchword'")))
                .isEmpty();
    }

    @Test
    void coldRowsAlone() {
        Session cold = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "hot_tail", "off")
                .build();
        assertThat(runner.rows(cold, "SELECT sum(count) FROM " + call(""))).containsExactly(List.of(9_000L));
    }

    /** The sample is a line of the pattern at the first time. */
    @Test
    void samplesAreLines() {
        assertThat(runner.rows(
                        "SELECT count(*), sum(IF(logs.message = t.sample, 1, 0)) > 0 FROM %s AS t ".formatted(call(""))
                                + "JOIN acme.logs ON logs.ts = t.first WHERE t.pattern LIKE 'disk%'"))
                .allSatisfy(row -> assertThat(row.getLast()).isEqualTo(true));
        assertThat(runner.rows("SELECT bool_and(regexp_like(sample, '^disk \\d full after \\d+ writes$')) FROM %s"
                        .formatted(call("") + " WHERE pattern LIKE 'disk%'")))
                .containsExactly(List.of(true));
    }

    @Test
    void whatCannotBeAskedForIsSaid() {
        assertError("tenant => 'acme', limit => 0", "argument limit: 0 is not between 1 and 1000");
        assertError("tenant => 'nobody'", "argument tenant: there is no tenant 'nobody' with rows in stream 'logs'");
        assertError("tenant => 'acme', stream => 'nothing'", "there is no stream 'nothing'; streams are: logs, empty");
        assertError("tenant => 'acme', query => 'a (b'", "argument query: character 2");
        assertError("tenant => 'acme', query => 'nosuch:1'", "nosuch");
        assertError("tenant => 'acme', since => 'yesterday'", "argument since: it is 'yesterday'");
        assertError("tenant => 'acme', column => 'nosuch'", "no column 'nosuch'; name one of these columns: ");
        assertError("tenant => 'acme', column => 'n'", "Column 'n' is bigint, not text");
        assertError("tenant => 'acme', stream => 'empty'", "no column that is searched as text");
    }

    private static void assertError(String arguments, String message) {
        assertThatThrownBy(() -> runner.rows("SELECT * FROM TABLE(cordwood.system.patterns(" + arguments + "))"))
                .as(arguments)
                .hasMessageContaining(message);
    }
}
