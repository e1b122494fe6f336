package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.tenant.Tenant;
import io.trino.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas, tables, columns and values as SQL shows them. */
class CordwoodTablesIT {
    private static final List<SampleRow> ROWS = List.of(
            SampleRow.of(
                    "2026-01-10T00:00:00.000001Z",
                    "level",
                    "INFO",
                    "message",
                    "disk full",
                    "status",
                    200L,
                    "latency",
                    1.5,
                    "fail",
                    false,
                    "size",
                    7L,
                    "attributes",
                    Map.of("k", "v")),
            SampleRow.of("2026-01-11T12:00:00Z", "level", "WARN", "host.name", "a", "size.double", 0.5, "fail", true),
            SampleRow.of("2026-01-10T00:00:00Z", "message", "first of the day"));

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of("cordwood.streams", "logs,request_log"));
        runner.tables().write("acme", "logs", 3, SampleLogs.COLUMNS, ROWS);
        runner.tables().write("Acme Prod", "logs", 0, SampleLogs.COLUMNS, ROWS.subList(0, 1));
        runner.catalog().putTenant(Tenant.of("idle"));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    @Test
    void schemasAreTenants() {
        assertThat(runner.rows("SHOW SCHEMAS").stream().map(List::getFirst))
                .contains("acme", "~41cme~20~50rod", "idle", "all_tenants", "information_schema");
        assertThat(runner.rows("SHOW TABLES FROM acme").stream().map(List::getFirst))
                .containsExactly("logs", "request_log");
    }

    @Test
    void statisticsAreThoseOfTheManifests() {
        Map<Object, List<Object>> statistics = new HashMap<>();
        runner.rows("SHOW STATS FOR acme.logs").forEach(row -> statistics.put(row.getFirst(), row));
        // Distinct values, part of nulls, rows, least, greatest
        assertThat(statistics.get("tenant_id").subList(2, 4)).containsExactly(1.0, 0.0);
        assertThat(statistics.get("status").subList(2, 7)).containsExactly(1.0, 2 / 3.0, null, "200", "200");
        assertThat(statistics.get("level").get(2)).isEqualTo(2.0);
        assertThat(statistics.get("latency").subList(3, 7)).containsExactly(2 / 3.0, null, "1.5", "1.5");
        assertThat(statistics.get("level").get(3)).isEqualTo(1 / 3.0);
        assertThat((Double) statistics.get("level").get(1)).isPositive();
        assertThat((String) statistics.get("ts").get(5)).startsWith("2026-01-10 00:00:00");
        assertThat((String) statistics.get("ts").get(6)).startsWith("2026-01-11 12:00:00");
        assertThat(statistics.get(null).get(4)).isEqualTo(3.0);
        assertThat(runner.rows("SHOW STATS FOR idle.logs")).isNotEmpty();
    }

    @Test
    void columnsAreThoseOfTheTable() {
        assertThat(runner.rows("SHOW COLUMNS FROM acme.logs").stream()
                        .map(column -> column.get(0) + " " + column.get(1)))
                .containsExactly(
                        "tenant_id varchar",
                        "ts timestamp(6) with time zone",
                        "attributes map(varchar, varchar)",
                        "level varchar",
                        "host.name varchar",
                        "message varchar",
                        "status bigint",
                        "latency double",
                        "fail boolean",
                        "size double");
        assertThat(runner.rows("SELECT count(*) FROM information_schema.columns WHERE table_name = 'logs'"
                        + " AND table_schema IN ('acme', '~41cme~20~50rod', 'idle')"))
                .containsExactly(List.of(23L));
    }

    @Test
    void valuesOfAllTypes() {
        assertThat(runner.rows(
                        "SELECT tenant_id, CAST(ts AS varchar), level, \"host.name\", message, status, latency, fail,"
                                + " size, element_at(attributes, 'k') FROM logs ORDER BY ts"))
                .map(Object::toString)
                .containsExactly(
                        "[acme, 2026-01-10 00:00:00.000000 UTC, null, null, first of the day, null, null, null, null, null]",
                        "[acme, 2026-01-10 00:00:00.000001 UTC, INFO, null, disk full, 200, 1.5, false, 7.0, v]",
                        "[acme, 2026-01-11 12:00:00.000000 UTC, WARN, a, null, null, null, true, 0.5, null]");
    }

    @Test
    void hiddenColumns() {
        assertThat(runner.rows("SELECT \"$tier\", \"$kafka_partition\", \"$kafka_offset\" FROM logs ORDER BY ts"))
                .containsExactly(List.of("cold", 3L, 2L), List.of("cold", 3L, 0L), List.of("cold", 3L, 1L));
        assertThat(runner.rows("SELECT count(DISTINCT \"$path\"), min(\"$path\") LIKE 'file:%parquet' FROM logs"))
                .containsExactly(List.of(2L, true));
        assertThat(runner.rows("SELECT count(*) FROM logs WHERE \"$tier\" = 'hot'"))
                .containsExactly(List.of(0L));
        assertThat(runner.rows("SELECT count(*) FROM logs WHERE \"$kafka_offset\" = 1"))
                .containsExactly(List.of(1L));
        assertThat(runner.rows("SELECT count(*) FROM logs WHERE \"$path\" = (SELECT min(\"$path\") FROM logs)"))
                .containsExactly(List.of(2L));
    }

    @Test
    void aTenantWithoutATableHasTheBaseColumnsAndNoRows() {
        assertThat(runner.rows("SELECT count(*) FROM idle.logs")).containsExactly(List.of(0L));
        assertThat(runner.rows("SELECT count(*) FROM acme.request_log")).containsExactly(List.of(0L));
        assertThat(runner.rows("SHOW COLUMNS FROM idle.logs")).hasSize(3);
    }

    @Test
    void statisticsKnowTheRowCount() {
        assertThat(runner.rows("SHOW STATS FOR logs").getLast().get(4)).isEqualTo(3.0);
    }

    @Test
    void saysWhichLogBlockIsGone() throws IOException {
        runner.tables().write("gone", "logs", 0, SampleLogs.COLUMNS, ROWS.subList(0, 1));
        String path = (String)
                runner.rows("SELECT \"$path\" FROM gone.logs").getFirst().getFirst();
        Files.delete(LocalFileIO.path(path));
        Session uncached = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_cache", "false")
                .build();
        assertThatThrownBy(() -> runner.rows(uncached, "SELECT message FROM gone.logs"))
                .hasMessageContaining("Cannot open the LogBlock " + path);
    }

    @Test
    void saysWhichLogBlockIsDamaged() throws IOException {
        runner.tables().write("damaged", "logs", 0, SampleLogs.COLUMNS, ROWS.subList(0, 1));
        String path = (String)
                runner.rows("SELECT \"$path\" FROM damaged.logs").getFirst().getFirst();
        byte[] bytes = Files.readAllBytes(LocalFileIO.path(path));
        // Values, and nothing of the footer
        Arrays.fill(bytes, 4, bytes.length / 4, (byte) 0x5a);
        Files.write(LocalFileIO.path(path), bytes);
        Session uncached = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_cache", "false")
                .build();
        assertThatThrownBy(() -> runner.rows(uncached, "SELECT * FROM damaged.logs WHERE message = 'disk full'"))
                .hasMessageContaining(path);
    }
}
