package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.ColumnDefinition;
import io.cordwood.catalog.LocalFileIO;
import io.cordwood.catalog.Tenant;
import io.cordwood.logblock.ColumnType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The schema over all tenants, and what the metrics of a query show. */
class CordwoodAllTenantsIT {
    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    /** Metadata of tenant b's table of stream audit, which cannot be read. */
    private static String damaged;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(
                home,
                Map.of(
                        "cordwood.streams", "logs,request_log,audit",
                        "cordwood.columns", "request_log=ip:varchar,latency:double"));
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
                    List.of(ColumnDefinition.keyword("level")),
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
    void showsTheColumnsThatEveryTenantHasWithOneType() {
        assertThat(columns("all_tenants.logs"))
                .containsExactly(
                        "tenant_id varchar",
                        "ts timestamp(6) with time zone",
                        "level varchar",
                        "note varchar",
                        "attributes map(varchar, varchar)");
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
    void everyOtherColumnIsAnAttribute() {
        assertThat(runner.rows("SELECT tenant_id, level, attributes FROM all_tenants.logs ORDER BY ts"))
                .map(Object::toString)
                .containsExactly("[a, INFO, {code=5, size=3}]", "[a, WARN, {size=0.5, k=v}]", "[b, INFO, {code=five}]");
        assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs WHERE attributes['code'] = 'five'"
                        + " AND tenant_id = 'b'"))
                .containsExactly(List.of(1L));
    }

    @Test
    void aTenantWithoutATableIsThereInAnyOrderOfTables() {
        assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs, c.logs")).containsExactly(List.of(0L));
        assertThat(runner.rows("SELECT count(*) FROM c.logs, all_tenants.logs")).containsExactly(List.of(0L));
    }

    @Test
    void attributesAreNullWhereARowHasNone() {
        assertThat(runner.rows("SELECT tenant_id FROM all_tenants.logs WHERE attributes IS NOT NULL ORDER BY ts"))
                .containsExactly(List.of("a"), List.of("a"), List.of("b"));
        assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs WHERE attributes IS NULL"))
                .containsExactly(List.of(0L));
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
