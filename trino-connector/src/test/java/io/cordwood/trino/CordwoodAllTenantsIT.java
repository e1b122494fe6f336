package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.logblock.schema.ColumnType;
import io.trino.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The schema over all tenants, and what the metrics of a query show. */
class CordwoodAllTenantsIT {
    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    /** Stands for a value that is null. */
    private static final Object NULL = new Object();

    /** Values of a column by tenants of different types. */
    private static final Map<String, List<Object>> MIXED = new TreeMap<>(Map.of(
            "keyword", List.of("42", "x", "true", NULL, "-7"),
            "text", List.of("42", "a 42 b", "7"),
            "boolean", List.of(true, false, NULL),
            "bigint", List.of(42L, -7L, 0L, Long.MAX_VALUE, 9_007_199_254_740_993L, NULL),
            "double", List.of(42.0, 0.1, 1e10, -1e-7, 5.0, NULL),
            "twin", List.of(42L, 0.5, NULL, 5L),
            "times", List.of(1_767_225_600_120_000L, 0L, NULL),
            "absent", List.of(NULL, NULL)));

    /** Metadata of tenant b's table of stream audit, which cannot be read. */
    private static String damaged;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(
                home,
                Map.of(
                        "cordwood.streams", "logs,request_log,audit,growing,mixed,declared",
                        "cordwood.columns", "request_log=ip:varchar,latency:double;declared=other:varchar"));
        SampleTables tables = runner.tables();
        tables.write(
                "a",
                "logs",
                0,
                List.of(
                        ColumnDefinition.keyword("level"),
                        ColumnDefinition.text("note"),
                        ColumnDefinition.of("code", ColumnType.BIGINT),
                        ColumnDefinition.of("size", ColumnType.BIGINT),
                        ColumnDefinition.of("size.double", ColumnType.DOUBLE)),
                List.of(
                        SampleRow.of(
                                "2026-01-10T00:00:00Z", "level", "INFO", "note", "disk full", "code", 5L, "size", 3L),
                        SampleRow.of(
                                "2026-01-10T00:00:01Z",
                                "level",
                                "WARN",
                                "size.double",
                                0.5,
                                "attributes",
                                Map.of("k", "v"))));
        tables.write(
                "b",
                "logs",
                0,
                List.of(
                        ColumnDefinition.keyword("level"),
                        ColumnDefinition.keyword("note"),
                        ColumnDefinition.keyword("code")),
                List.of(SampleRow.of("2026-01-11T00:00:00Z", "level", "INFO", "note", "disk full", "code", "five")));
        tables.write(
                "a",
                "request_log",
                0,
                List.of(
                        ColumnDefinition.keyword("ip"),
                        ColumnDefinition.of("latency", ColumnType.BIGINT),
                        ColumnDefinition.of("fail", ColumnType.BOOLEAN)),
                List.of(SampleRow.of("2026-01-10T00:00:00Z", "ip", "10.0.0.1", "latency", 7L, "fail", true)));
        tables.write(
                "b",
                "request_log",
                0,
                List.of(ColumnDefinition.of("ip", ColumnType.BIGINT), ColumnDefinition.keyword("latency")),
                List.of(SampleRow.of("2026-01-10T00:00:01Z", "ip", 42L, "latency", "slow")));
        runner.catalog().putTenant(Tenant.of("c"));
        for (String tenantId : List.of("a", "b")) {
            tables.write(
                    tenantId,
                    "audit",
                    0,
                    List.of(ColumnDefinition.keyword("level"), ColumnDefinition.keyword("of_" + tenantId)),
                    List.of(SampleRow.of("2026-01-10T00:00:00Z", "level", "INFO")));
        }
        damaged = runner.catalog().pointers("audit").table("b").orElseThrow().metadataLocation();
        Files.writeString(LocalFileIO.path(damaged), "damaged");
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    @Test
    void showsEachColumnThatOneTenantHas() {
        assertThat(columns("all_tenants.logs"))
                .containsExactly(
                        "tenant_id varchar",
                        "ts timestamp(6) with time zone",
                        "code varchar",
                        "level varchar",
                        "note varchar",
                        "size double",
                        "attributes map(varchar, varchar)");
        assertThat(runner.rows("SELECT tenant_id, code, level, size FROM all_tenants.logs ORDER BY ts")
                        .toString())
                .isEqualTo("[[a, 5, INFO, 3.0], [a, null, WARN, 0.5], [b, five, INFO, null]]");
        assertThat(runner.rows("SELECT column_name FROM information_schema.columns"
                        + " WHERE table_schema = 'all_tenants' AND table_name = 'logs' AND column_name = 'size'"))
                .hasSize(1);
    }

    @Test
    void aNewTenantTakesNoColumnAwayAndBringsItsOwnAtOnce() {
        String columns = "SELECT tenant_id, old, \"new\" FROM all_tenants.growing ORDER BY ts";
        runner.tables()
                .write(
                        "a",
                        "growing",
                        0,
                        List.of(ColumnDefinition.keyword("old")),
                        List.of(SampleRow.of("2026-01-10T00:00:00Z", "old", "x")));
        assertThat(columns("all_tenants.growing")).contains("old varchar").doesNotContain("new bigint");
        runner.tables()
                .write(
                        "b",
                        "growing",
                        0,
                        List.of(ColumnDefinition.of("new", ColumnType.BIGINT)),
                        List.of(SampleRow.of("2026-01-11T00:00:00Z", "new", 7L)));
        assertThat(runner.rows(columns).toString()).isEqualTo("[[a, x, null], [b, null, 7]]");
        runner.catalog().ensureTable("c", "growing", List.of(ColumnDefinition.text("new")));
        assertThat(runner.rows(columns).toString()).isEqualTo("[[a, x, null], [b, null, 7]]");
        assertThat(columns("all_tenants.growing")).contains("old varchar", "new varchar");
        assertThat(explainAnalyze("SELECT count(*) FROM all_tenants.growing WHERE old LIKE 'x%'"))
                .contains("'LogBlocks considered' = LongCount{total=1}")
                .contains("'tables pruned by columns' = LongCount{total=1}");
    }

    @Test
    void showsTheDeclaredColumns() {
        assertThat(columns("all_tenants.request_log"))
                .containsExactly(
                        "tenant_id varchar",
                        "ts timestamp(6) with time zone",
                        "ip varchar",
                        "latency double",
                        "attributes map(varchar, varchar)");
        assertThat(runner.rows("SELECT tenant_id, ip, latency, attributes FROM all_tenants.request_log ORDER BY ts"))
                .map(Object::toString)
                .containsExactly("[a, 10.0.0.1, 7.0, {fail=true}]", "[b, 42, null, {latency=slow}]");
        assertThat(runner.rows("SELECT tenant_id FROM all_tenants.request_log WHERE ip = '42' AND latency IS NULL"))
                .containsExactly(List.of("b"));
        assertThat(runner.rows(
                        "SELECT tenant_id FROM all_tenants.request_log WHERE NOT (ip = '42' AND tenant_id = 'b')"))
                .containsExactly(List.of("a"));
        assertThat(runner.rows("SELECT tenant_id FROM all_tenants.request_log WHERE latency > 6.5e0"))
                .containsExactly(List.of("a"));
    }

    @Test
    void attributesSayWhatTheTenantsOwnTableSays() {
        assertThat(runner.rows("SELECT tenant_id, attributes FROM all_tenants.logs ORDER BY ts")
                        .toString())
                .isEqualTo("[[a, null], [a, {k=v}], [b, null]]");
        runner.tables()
                .write(
                        "a",
                        "declared",
                        0,
                        List.of(
                                ColumnDefinition.of("twice", ColumnType.BIGINT),
                                ColumnDefinition.of("long", ColumnType.DOUBLE),
                                ColumnDefinition.keyword("once")),
                        List.of(SampleRow.of(
                                "2026-01-10T00:00:00Z",
                                "twice",
                                1L,
                                "long",
                                1.2345678901234567E19,
                                "once",
                                "x",
                                "attributes",
                                Map.of("twice", "2", "twice#2", "3", "long", "12345678901234567890"))));
        String own = "SELECT attributes['twice'], attributes['twice#2'], attributes['long'] FROM %s.declared";
        assertThat(runner.rows(own.formatted("all_tenants"))).isEqualTo(runner.rows(own.formatted("a")));
        assertThat(runner.rows("SELECT attributes['twice#3'], attributes['long#2'], attributes['once'],"
                                + " cardinality(attributes) FROM all_tenants.declared")
                        .toString())
                .isEqualTo("[[1, 1.2345678901234567E19, x, 6]]");
    }

    /** One column that is of another type for each tenant, and not there for one. */
    @Test
    void valuesOfTypesThatDifferAreTheirText() {
        long second = 0;
        for (Map.Entry<String, List<Object>> tenant : MIXED.entrySet()) {
            List<SampleRow> rows = new ArrayList<>();
            for (Object value : tenant.getValue()) {
                String name = tenant.getKey().equals("twin") && value instanceof Double ? "v.double" : "v";
                String time = "2026-02-01T00:00:%02dZ".formatted(second++);
                rows.add(value.equals(NULL) ? SampleRow.of(time) : SampleRow.of(time, name, value));
            }
            runner.tables().write(tenant.getKey(), "mixed", 0, definitions(tenant.getKey()), rows);
        }
        assertThat(columns("all_tenants.mixed")).contains("v varchar");
        String own = Stream.of(
                        "SELECT tenant_id, ts, v FROM keyword.mixed",
                        "SELECT tenant_id, ts, v FROM text.mixed",
                        "SELECT tenant_id, ts, json_format(CAST(v AS JSON)) FROM \"boolean\".mixed",
                        "SELECT tenant_id, ts, json_format(CAST(v AS JSON)) FROM \"bigint\".mixed",
                        "SELECT tenant_id, ts, json_format(CAST(v AS JSON)) FROM \"double\".mixed",
                        // An integer of a twin stays one
                        "SELECT tenant_id, ts, IF(v = floor(v), CAST(CAST(v AS bigint) AS varchar),"
                                + " json_format(CAST(v AS JSON))) FROM twin.mixed",
                        "SELECT tenant_id, ts, to_iso8601(v) FROM times.mixed",
                        "SELECT tenant_id, ts, CAST(NULL AS varchar) FROM absent.mixed")
                .collect(Collectors.joining(" UNION ALL ", "(", ")"));
        for (String query : List.of(
                "SELECT tenant_id, ts, v FROM %s ORDER BY ts",
                "SELECT count(*), count(v), count(DISTINCT v), min(v), max(v) FROM %s",
                "SELECT v, count(*) FROM %s GROUP BY 1 ORDER BY 1, 2",
                "SELECT tenant_id, v FROM %s ORDER BY ts DESC LIMIT 9",
                "SELECT tenant_id, v FROM %s WHERE v IS NOT NULL ORDER BY ts LIMIT 9",
                "SELECT l.tenant_id, r.tenant_id FROM %1$s l JOIN %1$s r ON l.v = r.v ORDER BY l.ts, r.ts")) {
            assertSame(query, own);
        }
        for (String condition : List.of(
                "v = '42'",
                "v <> '42'",
                "NOT (v = '42' OR v = 'true')",
                "v = '042'",
                "v = '4.2E1'",
                "v IN ('42', '42.0', 'true', '0.1', 'x')",
                "v NOT IN ('42', 'true')",
                "v < '5'",
                "v >= '-7' AND v < '7'",
                "v BETWEEN '4' AND '5'",
                "v LIKE '4%%'",
                "v LIKE '%%2%%'",
                "v LIKE '%%T00:%%'",
                "starts_with(v, 'tr')",
                "v IS NULL",
                "v IS NOT NULL AND tenant_id <> 'keyword'",
                "v = '42' AND tenant_id IN ('bigint', 'double')",
                "v = '42' OR tenant_id = 'absent'",
                "length(v) = 2",
                "v = (SELECT max(v) FROM keyword.mixed)")) {
            assertSame("SELECT tenant_id, ts, v FROM %s WHERE " + condition + " ORDER BY ts", own);
        }
    }

    private static void assertSame(String query, String own) {
        List<List<Object>> expected = runner.rows(query.formatted(own));
        for (String property : List.of("", "use_statistics")) {
            Session session = property.isEmpty()
                    ? runner.trino().getDefaultSession()
                    : Session.builder(runner.trino().getDefaultSession())
                            .setCatalogSessionProperty("cordwood", property, "false")
                            .build();
            assertThat(runner.rows(session, query.formatted("all_tenants.mixed")))
                    .as("%s without %s", query, property)
                    .isEqualTo(expected);
        }
    }

    private static List<ColumnDefinition> definitions(String tenantId) {
        return switch (tenantId) {
            case "keyword" -> List.of(ColumnDefinition.keyword("v"));
            case "text" -> List.of(ColumnDefinition.text("v"));
            case "boolean" -> List.of(ColumnDefinition.of("v", ColumnType.BOOLEAN));
            case "bigint" -> List.of(ColumnDefinition.of("v", ColumnType.BIGINT));
            case "double" -> List.of(ColumnDefinition.of("v", ColumnType.DOUBLE));
            case "times" -> List.of(ColumnDefinition.of("v", ColumnType.TIMESTAMP));
            case "twin" ->
                List.of(
                        ColumnDefinition.of("v", ColumnType.BIGINT),
                        ColumnDefinition.of("v.double", ColumnType.DOUBLE));
            default -> List.of();
        };
    }

    @Test
    void aTenantWithoutATableIsThereInAnyOrderOfTables() {
        assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs, c.logs")).containsExactly(List.of(0L));
        assertThat(runner.rows("SELECT count(*) FROM c.logs, all_tenants.logs")).containsExactly(List.of(0L));
    }

    @Test
    void attributesAreNullWhereARowHasNone() {
        assertThat(runner.rows("SELECT tenant_id FROM all_tenants.logs WHERE attributes IS NOT NULL"))
                .containsExactly(List.of("a"));
        assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs WHERE attributes IS NULL"))
                .containsExactly(List.of(2L));
    }

    @Test
    void matchFollowsTheColumnOfEachTenant() {
        assertThat(runner.rows("SELECT tenant_id FROM all_tenants.logs WHERE match(note, 'disk')"))
                .containsExactly(List.of("a"));
        assertThat(runner.rows("SELECT tenant_id, match(note, '\"disk full\"'), match(note, 'disk')"
                                + " FROM all_tenants.logs WHERE note IS NOT NULL ORDER BY 1")
                        .toString())
                .isEqualTo("[[a, true, true], [b, true, false]]");
    }

    @Test
    void aConditionOnTheTenantPrunesTables() {
        assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs WHERE tenant_id = 'b'"))
                .containsExactly(List.of(1L));
        assertThat(explainAnalyze("SELECT count(*) FROM all_tenants.logs WHERE tenant_id = 'b'"))
                .contains("'tables pruned by tenant' = LongCount{total=1}")
                .contains("'LogBlocks considered' = LongCount{total=1}");
    }

    @Test
    void statisticsAreThoseOfTheTenantsAskedFor() {
        assertThat(runner.rows("SHOW STATS FOR (SELECT * FROM all_tenants.logs WHERE tenant_id = 'b')")
                        .getLast()
                        .get(4))
                .isEqualTo(1.0);
    }

    @Test
    void aDamagedTableTroublesNoOtherTenant() {
        assertThat(runner.rows("SELECT level FROM all_tenants.audit WHERE tenant_id = 'a'"))
                .containsExactly(List.of("INFO"));
        assertThat(runner.rows("SELECT DISTINCT table_schema FROM information_schema.columns"
                        + " WHERE table_name = 'audit' AND table_schema IN ('a', 'b')"))
                .containsExactly(List.of("a"));
        assertThatThrownBy(() -> runner.rows("SELECT level FROM all_tenants.audit"))
                .hasMessageContaining("1 of 2 tables of stream 'audit'")
                .hasMessageNotContaining(damaged)
                .hasMessageNotContaining("tenant 'b'");
        assertThatThrownBy(() -> runner.rows("SELECT level FROM b.audit")).hasMessageContaining(damaged);
        assertThat(columns("all_tenants.audit"))
                .as("the columns come from the catalog, not from each table")
                .contains("of_a varchar", "of_b varchar");
    }

    @Test
    void metricsShowWhatWasPruned() {
        assertThat(explainAnalyze("SELECT level FROM b.logs WHERE ts < TIMESTAMP '2026-01-10 00:00:00 UTC'"))
                .contains("'LogBlocks pruned by time' = LongCount{total=1}");
        assertThat(explainAnalyze("SELECT level FROM b.logs WHERE level > 'Z'"))
                .contains("'LogBlocks pruned by statistics' = LongCount{total=1}");
        assertThat(explainAnalyze("SELECT level FROM a.logs WHERE match(note, 'disk')"))
                .contains("'LogBlocks opened' = LongCount{total=1}")
                .contains("'rows selected' = LongCount{total=1}")
                .contains("'column blocks read'")
                .contains("'bytes read'")
                .contains("'requests'");
    }

    @Test
    void wholeLogBlocksAreCountedByTheirManifest() {
        String sql = "SELECT count(*) FROM a.logs WHERE ts < TIMESTAMP '2026-01-20 00:00:00 UTC'";
        assertThat(explainAnalyze(sql))
                .contains("'LogBlocks counted by manifest' = LongCount{total=1}")
                .contains("'LogBlocks opened' = LongCount{total=0}");
        assertThat(runner.rows(sql)).containsExactly(List.of(2L));
    }

    private static String explainAnalyze(String sql) {
        return runner.execute("EXPLAIN ANALYZE VERBOSE " + sql).getOnlyValue().toString();
    }

    @Test
    void nothingCanBeWritten() {
        assertThatThrownBy(() -> runner.execute("DELETE FROM all_tenants.logs WHERE level = 'x'"));
        assertThatThrownBy(() -> runner.execute("UPDATE a.logs SET level = 'x'"));
        assertThatThrownBy(() -> runner.execute("DROP TABLE a.logs"));
        assertThatThrownBy(() -> runner.execute("CREATE TABLE a.x (y bigint)"));
        assertThatThrownBy(() -> runner.execute("DROP SCHEMA c"));
    }

    private static List<String> columns(String table) {
        return runner.rows("SHOW COLUMNS FROM " + table).stream()
                .map(column -> column.get(0) + " " + column.get(1))
                .toList();
    }
}
