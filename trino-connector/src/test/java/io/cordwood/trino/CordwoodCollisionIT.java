package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.tenant.User;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of rows with the same microsecond the views of a table show the first, the last, or each with its number, wherever
 * they are, and no condition changes which one that is.
 */
class CordwoodCollisionIT {
    private static final List<ColumnDefinition> COLUMNS =
            List.of(ColumnDefinition.of("n", ColumnType.BIGINT), ColumnDefinition.keyword("level"));
    private static final int HOT = 1_500;
    private static final int RECORDS_OF_MANY = 20;

    private record Row(String tenantId, String ts, long n, String level, long collision) {}

    @TempDir
    private static Path home;

    private static Service kafka;
    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        runner = CordwoodQueryRunner.start(
                home,
                Map.of(
                        "cordwood.kafka-bootstrap-servers", kafka.address(),
                        "cordwood.streams", "hot,cold,mixed,all,other",
                        "cordwood.columns", "all=n:bigint,level:varchar",
                        "cordwood.access-rules-cache-ttl", "1ms"));
        // Once there is a grant it needs one too
        runner.catalog().putUser(new User(runner.trino().getDefaultSession().getUser(), true, Set.of()));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
        kafka.close();
    }

    @Test
    void hotRows() throws Exception {
        assertViews("hot", 0);
    }

    @Test
    void coldRows() throws Exception {
        assertViews("cold", HOT);
    }

    @Test
    void rowsOfBothTiers() throws Exception {
        assertViews("mixed", HOT / 2);
    }

    private static void assertViews(String stream, int archived) throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, stream, 2)) {
            write(topic, stream, "acme", archived);
            String table = "acme." + stream;
            List<Row> all = rows(table);
            assertThat(all).hasSize(2 * HOT + (archived == HOT ? 0 : 3 * RECORDS_OF_MANY));
            List<Row> first = all.stream().filter(row -> row.collision() == 0).toList();
            Map<String, Row> newest = new TreeMap<>();
            all.forEach(row -> newest.put(row.ts(), row));
            List<Row> last = List.copyOf(newest.values());
            assertThat(first).hasSizeLessThan(all.size() / 4);
            assertView(table + "$first", first);
            assertView(table + "$last", last);
            assertView(table + "$numbered", all);
            assertThat(runner.rows("SELECT n, _collision FROM " + quoted(table + "$numbered") + " ORDER BY n"))
                    .isEqualTo(all.stream()
                            .sorted(Comparator.comparingLong(Row::n))
                            .map(row -> List.<Object>of(row.n(), row.collision()))
                            .toList());
        }
    }

    private static void write(SampleTopic topic, String stream, String tenantId, int archived) throws Exception {
        SampleTables tables = new SampleTables(runner.catalog(), CordwoodQueryRunner.SMALL_BLOCKS, topic.id());
        runner.catalog().ensureTable(tenantId, stream, COLUMNS);
        for (int partition = 0; partition < 2; partition++) {
            List<SampleRow> rows = sample(partition * 10_000, HOT);
            topic.send(tenantId, partition, rows);
            for (int from = 0; from < archived; from += HOT / 4) {
                tables.write(
                        tenantId, stream, partition, COLUMNS, rows.subList(from, Math.min(archived, from + HOT / 4)));
            }
            runner.catalog()
                    .advanceArchivedThrough(stream, Map.of(new PartitionId(topic.id(), partition), (long) archived));
        }
        if (archived < HOT) {
            for (int record = 0; record < RECORDS_OF_MANY; record++) {
                topic.send(tenantId, record % 2, recordOfThree(20_000 + record * 3));
            }
        }
    }

    private static List<SampleRow> sample(int first, int count) {
        Random random = new Random(first);
        return IntStream.range(first, first + count)
                .mapToObj(n -> new SampleRow(
                        SampleLogs.START_MICROS + n % 3 * 1_000_000L + random.nextInt(100),
                        Map.of("n", (long) n, "level", random.nextBoolean() ? "ERROR" : "INFO")))
                .toList();
    }

    /** Rows of one offset, all of one microsecond. */
    private static byte[] recordOfThree(int first) {
        String logs = IntStream.range(first, first + 3)
                .mapToObj(n -> """
                        {"timeUnixNano":"%d","severityText":"INFO",
                         "attributes":[{"key":"n","value":{"intValue":"%d"}}]}""".formatted(SampleLogs.START_MICROS * 1000 + first % 7 * 1000L, n))
                .collect(Collectors.joining(","));
        return "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[%s]}]}]}"
                .formatted(logs)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** All rows of a table, each with how many of its tenant and microsecond come before it. */
    private static List<Row> rows(String table) {
        Map<List<Object>, Long> seen = new TreeMap<>(Comparator.comparing(List::toString));
        List<Row> rows = new ArrayList<>();
        for (List<Object> row : runner.rows("SELECT tenant_id, CAST(ts AS varchar), n, level FROM " + quoted(table)
                + " ORDER BY ts, \"$kafka_partition\", \"$kafka_offset\", \"$kafka_ordinal\"")) {
            long before = seen.merge(List.of(row.get(0), row.get(1)), 1L, Long::sum) - 1;
            rows.add(new Row((String) row.get(0), (String) row.get(1), (long) row.get(2), (String) row.get(3), before));
        }
        return rows;
    }

    private static String quoted(String table) {
        return table.substring(0, table.indexOf('.') + 1) + '"' + table.substring(table.indexOf('.') + 1) + '"';
    }

    /** With conditions above it, the view gives those of its rows that satisfy them. */
    private static void assertView(String view, List<Row> rows) {
        String all = "SELECT n FROM " + quoted(view);
        assertNumbers(all, rows);
        assertNumbers(
                all + " WHERE level = 'ERROR'", where(rows, row -> row.level().equals("ERROR")));
        assertNumbers(
                all + " WHERE n >= 10000 AND level <> 'INFO'",
                where(rows, row -> row.n() >= 10_000 && !row.level().equals("INFO")));
        assertNumbers(
                all + " WHERE match_keyword(level, 'info')",
                where(rows, row -> row.level().equals("INFO")));
        assertNumbers(all + " WHERE tenant_id = 'acme'", rows);
        assertNumbers(all + " WHERE tenant_id = 'other'", List.of());
        String from = rows.get(rows.size() / 3).ts();
        String to = rows.get(rows.size() / 2).ts();
        String times = "ts BETWEEN TIMESTAMP '%s' AND TIMESTAMP '%s'".formatted(from, to);
        assertNumbers(all + " WHERE " + times, where(rows, row -> within(row, from, to)));
        assertNumbers(
                all + " WHERE level = 'ERROR' AND " + times,
                where(rows, row -> within(row, from, to) && row.level().equals("ERROR")));
        assertNumbers(
                "SELECT view.n FROM " + quoted(view)
                        + " AS view JOIN (VALUES 'ERROR') AS levels(level) ON view.level = levels.level",
                where(rows, row -> row.level().equals("ERROR")));
        assertThat(runner.rows("SELECT count(*), count(DISTINCT ts) FROM " + quoted(view)))
                .containsExactly(List.of(
                        (long) rows.size(),
                        rows.stream().map(Row::ts).distinct().count()));
        assertThat(runner.rows("SELECT date_trunc('second', ts), count(*) FROM " + quoted(view) + " GROUP BY 1"))
                .hasSize(3);
        assertThat(runner.rows("SELECT CAST(ts AS varchar) FROM " + quoted(view)
                        + " WHERE level = 'INFO' ORDER BY ts DESC LIMIT 7"))
                .isEqualTo(where(rows, row -> row.level().equals("INFO")).reversed().stream()
                        .limit(7)
                        .map(row -> List.<Object>of(row.ts()))
                        .toList());
        List<List<Object>> limited = runner.rows(all + " WHERE level = 'ERROR' LIMIT 5");
        assertThat(limited)
                .hasSize(5)
                .isSubsetOf(numbers(where(rows, row -> row.level().equals("ERROR"))));
    }

    private static boolean within(Row row, String from, String to) {
        return row.ts().compareTo(from) >= 0 && row.ts().compareTo(to) <= 0;
    }

    private static List<Row> where(List<Row> rows, Predicate<Row> condition) {
        return rows.stream().filter(condition).toList();
    }

    private static List<List<Object>> numbers(List<Row> rows) {
        return rows.stream().map(row -> List.<Object>of(row.n())).toList();
    }

    private static void assertNumbers(String sql, List<Row> rows) {
        assertThat(runner.rows(sql)).as(sql).containsExactlyInAnyOrderElementsOf(numbers(rows));
    }

    @Test
    void onlyTenantAndTimeGoBelowTheChoice() throws Exception {
        SampleTables tables = runner.tables();
        for (int hour = 0; hour < 6; hour++) {
            long micros = SampleLogs.START_MICROS + hour * 3_600_000_000L;
            tables.write(
                    "acme",
                    "other",
                    0,
                    COLUMNS,
                    List.of(
                            new SampleRow(micros, Map.of("n", 0L, "level", "INFO")),
                            new SampleRow(micros, Map.of("n", 1L, "level", "hour-" + hour))));
        }
        for (String name : List.of("first", "last", "numbered")) {
            // Who does not ask for the number needs no window
            String column = name.equals("numbered") ? "_collision" : "n";
            String any = "SELECT %s FROM acme.\"other$%s\" ".formatted(column, name);
            assertThat(opened(any + "WHERE ts >= TIMESTAMP '2026-01-10 04:00:00 UTC'"))
                    .isEqualTo(2);
            assertThat(opened(any + "WHERE level = 'hour-3'")).isEqualTo(6);
            assertThat(opened(any + "WHERE n > 7")).isEqualTo(6);
            assertThat(opened(any + "ORDER BY ts DESC LIMIT 1")).isEqualTo(6);
        }
        assertThat(runner.rows("SELECT n FROM acme.\"other$first\" WHERE level = 'hour-3'"))
                .isEmpty();
        assertThat(runner.rows("SELECT n FROM acme.\"other$last\" WHERE level = 'hour-3'"))
                .containsExactly(List.of(1L));
        assertThat(runner.rows("SELECT _collision FROM acme.\"other$numbered\" WHERE level = 'hour-3'"))
                .containsExactly(List.of(1L));
    }

    private static long opened(String sql) {
        return ScanMetrics.of(runner, sql).get("LogBlocks opened");
    }

    @Test
    void allTenantsAndGrants() throws Exception {
        try (SampleTopic topic = SampleTopic.create(kafka, "all", 2)) {
            write(topic, "all", "a", 0);
            runner.catalog().ensureTable("b", "all", COLUMNS);
            topic.send("b", 0, sample(0, HOT));
            List<Row> all = rows("all_tenants.all");
            assertNumbers("SELECT n FROM all_tenants.\"all$first\"", where(all, row -> row.collision() == 0));
            assertNumbers(
                    "SELECT n FROM all_tenants.\"all$first\" WHERE tenant_id = 'b'",
                    where(all, row -> row.collision() == 0 && row.tenantId().equals("b")));
            runner.catalog().putUser(new User("alice", false, Set.of("a")));
            Session alice = CordwoodQueryRunner.session("a", "alice");
            assertThat(runner.rows(alice, "SELECT DISTINCT tenant_id FROM all_tenants.\"all$last\""))
                    .containsExactly(List.of("a"));
            assertThat(runner.rows(alice, "SELECT count(*) FROM a.\"all$numbered\""))
                    .containsExactly(List.of(2L * HOT + 3 * RECORDS_OF_MANY));
            for (String view : List.of("first", "last", "numbered")) {
                assertThatThrownBy(() -> runner.rows(alice, "SELECT * FROM b.\"all$%s\"".formatted(view)))
                        .hasMessageContaining("Access Denied");
                assertThatThrownBy(() -> runner.rows(alice, "DESCRIBE b.\"all$%s\"".formatted(view)))
                        .hasMessageContaining("Access Denied");
            }
        }
    }

    @Test
    void viewsAreDescribedAndNotListed() {
        runner.tables().write("c", "other", 0, COLUMNS, sample(0, 5));
        List<List<Object>> columns = runner.rows("DESCRIBE c.other");
        assertThat(runner.rows("DESCRIBE c.\"other$first\"")).isEqualTo(columns);
        List<List<Object>> numbered = runner.rows("DESCRIBE c.\"other$numbered\"");
        assertThat(numbered.subList(0, columns.size())).isEqualTo(columns);
        assertThat(numbered.subList(columns.size(), numbered.size()))
                .containsExactly(List.of("_collision", "bigint", "", ""));
        assertThat(runner.rows("SHOW CREATE VIEW c.\"other$last\"").toString())
                .contains("PARTITION BY tenant_id, ts", "\"$kafka_partition\" DESC");
        assertThat(runner.rows("SHOW TABLES FROM c LIKE '%$%'")).isEmpty();
        for (String none : List.of("other$", "other$second", "$first", "nothing$first", "other$first$first")) {
            assertThatThrownBy(() -> runner.rows("SELECT * FROM c.\"" + none + "\""))
                    .as(none)
                    .hasMessageContaining("does not exist");
        }
        assertThatThrownBy(() -> runner.rows("SELECT * FROM nobody.\"other$first\""))
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> runner.rows("DELETE FROM c.\"other$first\"")).hasMessageContaining("view");
    }
}
