package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.tenant.TenantNames;
import io.trino.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries over damaged LogBlocks, and over tenants, columns and values as no one should name or send them. */
class CordwoodBadInputIT {
    private static final List<ColumnDefinition> COLUMNS =
            List.of(ColumnDefinition.text("message"), ColumnDefinition.keyword("level"));

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;
    private static Session uncached;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of("cordwood.streams", "logs"));
        uncached = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_cache", "false")
                .build();
        runner.tables().write("healthy", "logs", 0, COLUMNS, List.of(row("2026-01-10T00:00:00Z", "fine")));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    private static SampleRow row(String time, String message) {
        return SampleRow.of(time, "message", message, "level", "INFO");
    }

    @ParameterizedTest
    @EnumSource(names = {"GONE", "EMPTY", "TRUNCATED", "BIT_IN_DATA_PAGES", "BIT_IN_PAGE_INDEXES", "BIT_IN_FOOTER"})
    void damageIsSaidAndHarmsNothingElse(Damage damage) throws IOException {
        String tenant = "Broken." + damage;
        String table = quoted(TenantNames.schemaName(tenant)) + ".logs";
        List<SampleRow> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            rows.add(row("2026-01-10T00:00:00Z", "first " + i));
            rows.add(row("2026-01-11T00:00:00Z", "second " + i));
        }
        runner.tables().write(tenant, "logs", 0, COLUMNS, rows);
        String path = (String) runner.rows(
                        uncached,
                        "SELECT DISTINCT \"$path\" FROM " + table + " WHERE ts < TIMESTAMP '2026-01-11 00:00:00 UTC'")
                .getFirst()
                .getFirst();
        damage.to(path);

        for (String condition : List.of("level = 'INFO'", "match(message, 'first')", "message LIKE '%7'")) {
            assertThatThrownBy(() -> runner.rows(uncached, "SELECT * FROM " + table + " WHERE " + condition))
                    .as(condition)
                    .hasMessageContaining(path)
                    .hasMessageContaining("of tenant '" + tenant + "'");
        }
        assertThat(runner.rows(
                        uncached,
                        "SELECT count(*), count(message) FROM " + table
                                + " WHERE level = 'INFO' AND ts >= TIMESTAMP '2026-01-11 00:00:00 UTC'"))
                .containsExactly(List.of(500L, 500L));
        assertThat(runner.rows(uncached, "SELECT message FROM healthy.logs")).containsExactly(List.of("fine"));
        assertThat(runner.rows(uncached, "SELECT ts FROM all_tenants.logs WHERE tenant_id = 'healthy'"))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"GONE", "EMPTY", "TRUNCATED"})
    void damagedMetadataAreSaidAndHarmNoOtherTenant(Damage damage) throws IOException {
        for (Metadata kind : Metadata.values()) {
            String tenant = "metadata." + kind + "." + damage;
            runner.tables().write(tenant, "logs", 0, COLUMNS, List.of(row("2026-01-10T00:00:00Z", "one")));
            String schema = TenantNames.schemaName(tenant);
            String file = kind.file(runner.catalog().catalog().loadTable(TableIdentifier.of(schema, "logs")));
            damage.to(file);
            assertThatThrownBy(() -> runner.rows("SELECT message FROM %s.logs".formatted(quoted(schema))))
                    .hasMessageContaining(file)
                    .hasMessageContaining("table 'logs' of tenant '%s'".formatted(tenant));
            assertThat(runner.rows("SELECT message FROM healthy.logs")).containsExactly(List.of("fine"));
            assertThat(runner.rows("SELECT ts FROM all_tenants.logs WHERE tenant_id = 'healthy'"))
                    .hasSize(1);
        }
    }

    /** What Iceberg keeps of a table besides its data. */
    private enum Metadata {
        METADATA_FILE {
            @Override
            String file(Table table) {
                return ((HasTableOperations) table).operations().current().metadataFileLocation();
            }
        },
        MANIFEST_LIST {
            @Override
            String file(Table table) {
                return table.currentSnapshot().manifestListLocation();
            }
        },
        MANIFEST {
            @Override
            String file(Table table) {
                return table.currentSnapshot()
                        .allManifests(table.io())
                        .getFirst()
                        .path();
            }
        };

        abstract String file(Table table);
    }

    /** What was read while it was damaged is not kept. */
    @ParameterizedTest
    @EnumSource(names = {"TRUNCATED", "BIT_IN_DATA_PAGES", "BIT_IN_PAGE_INDEXES", "BIT_IN_FOOTER"})
    void aLogBlockThatWasRestoredIsReadAgain(Damage damage) throws IOException {
        String tenant = "restored-" + damage.name().toLowerCase(java.util.Locale.ROOT);
        String query = "SELECT count(message) FROM \"%s\".logs WHERE level = 'INFO'".formatted(tenant);
        runner.tables().write(tenant, "logs", 0, COLUMNS, List.of(row("2026-01-10T00:00:00Z", "one")));
        Path file =
                LocalFileIO.path((String) runner.rows(uncached, "SELECT \"$path\" FROM \"%s\".logs".formatted(tenant))
                        .getFirst()
                        .getFirst());
        byte[] whole = Files.readAllBytes(file);
        damage.to(file);
        assertThatThrownBy(() -> runner.rows(query))
                .hasMessageContaining(file.getFileName().toString());
        Files.write(file, whole);
        assertThat(runner.rows(query)).containsExactly(List.of(1L));
    }

    @ParameterizedTest
    @EnumSource(names = {"BIT_IN_HOT_INDEX", "BITS_IN_COLD_INDEX", "NEWER_INDEX", "NEWER_FORMAT"})
    void withoutItsIndexALogBlockGivesTheSameRows(Damage damage) throws IOException {
        String tenant = "scanned-" + damage.name().toLowerCase(java.util.Locale.ROOT);
        SampleLogs.write(runner.tables(), tenant, 4000, 3);
        List<String> queries = List.of(
                "SELECT * FROM \"%s\".logs WHERE match(message, 'timeout disk')",
                "SELECT * FROM \"%s\".logs WHERE level = 'WARN' AND status = 404",
                "SELECT count(*) FROM \"%s\".logs WHERE match(message, 'dis* NOT full')",
                "SELECT * FROM \"%s\".logs WHERE ts BETWEEN TIMESTAMP '2026-01-10 02:00:00 UTC'"
                        + " AND TIMESTAMP '2026-01-10 05:00:00 UTC'",
                "SELECT ts, \"$kafka_partition\", \"$kafka_offset\" FROM \"%s\".logs"
                        + " ORDER BY ts DESC, \"$kafka_partition\", \"$kafka_offset\" LIMIT 20");
        List<List<List<Object>>> before = answers(queries, tenant);
        for (List<Object> path : runner.rows("SELECT DISTINCT \"$path\" FROM \"%s\".logs".formatted(tenant))) {
            damage.to((String) path.getFirst());
        }
        List<List<List<Object>>> after = answers(queries, tenant);
        for (int i = 0; i < queries.size(); i++) {
            assertThat(before.get(i)).as(queries.get(i)).isNotEmpty();
            assertThat(after.get(i)).as(queries.get(i)).containsExactlyInAnyOrderElementsOf(before.get(i));
        }
    }

    private static List<List<List<Object>>> answers(List<String> queries, String tenant) {
        return queries.stream()
                .map(query -> runner.rows(uncached, query.formatted(tenant)))
                .toList();
    }

    @Test
    void anyTenantIsASchema() {
        List<String> tenants = List.of(
                "Acme",
                "acme",
                ".",
                "..",
                "../../etc",
                "a/b",
                "a\\b",
                "%00",
                "'",
                "\"",
                "`; DROP TABLE x; --",
                " ",
                "~61",
                "all_tenants",
                "system",
                "information_schema",
                "\0",
                "\n\r\t",
                "\u001b[31m",
                "😀",
                "مرحبا",
                "\u202eabc",
                "e\u0301",
                "\u00e9",
                "\uffff",
                "x".repeat(128),
                "X".repeat(128));
        for (String tenant : tenants) {
            runner.tables().write(tenant, "logs", 0, COLUMNS, List.of(row("2026-01-10T00:00:00Z", "from " + tenant)));
        }
        for (String tenant : tenants) {
            assertThat(runner.rows(
                            "SELECT tenant_id, message FROM %s.logs".formatted(quoted(TenantNames.schemaName(tenant)))))
                    .containsExactly(List.of(tenant, "from " + tenant));
            assertThat(runner.rows(
                            "SELECT tenant_id, \"$path\" LIKE '%%parquet' FROM all_tenants.logs WHERE tenant_id = '%s'"
                                    .formatted(tenant.replace("'", "''"))))
                    .containsExactly(List.of(tenant, true));
        }
    }

    @Test
    void anyNameIsAColumn() {
        List<String> names = List.of(
                ".",
                "..",
                "a.",
                ".a",
                "a..b",
                "a.b.c",
                "\"",
                "'",
                "`",
                "a b",
                " ",
                "%",
                "/",
                "\\",
                "😀",
                "مرحبا",
                "\u202ea",
                "i\u0307",
                "ας",
                "1",
                "-",
                "select",
                "null",
                "true",
                "*",
                "a-b",
                "\uffff",
                "\u2028",
                "\u00a0",
                "\u0085",
                "element",
                "x.double",
                "day",
                "key",
                "value",
                "partition",
                "list.element",
                "ä".repeat(256));
        Map<String, Object> values = new java.util.HashMap<>();
        names.forEach(name -> values.put(name, "value of " + name));
        runner.tables()
                .write(
                        "names",
                        "logs",
                        0,
                        names.stream().map(ColumnDefinition::keyword).toList(),
                        List.of(new SampleRow(SampleLogs.START_MICROS, values)));
        assertThat(runner.rows("SHOW COLUMNS FROM names.logs").stream().map(List::getFirst))
                .containsAll(names);
        for (String name : names) {
            assertThat(runner.rows("SELECT %1$s FROM names.logs WHERE %1$s = '%2$s'"
                            .formatted(quoted(name), ("value of " + name).replace("'", "''"))))
                    .as(name)
                    .containsExactly(List.of("value of " + name));
        }
    }

    @Test
    void timesOfTheYears1To9999() {
        List<String> times = List.of(
                "0001-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999Z",
                "1970-01-01T00:00:00Z",
                "2099-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999Z");
        runner.tables()
                .write(
                        "times",
                        "logs",
                        0,
                        COLUMNS,
                        times.stream().map(time -> row(time, time)).toList());
        assertThat(runner.rows("SELECT message, CAST(ts AS varchar) FROM times.logs ORDER BY ts"))
                .containsExactly(
                        List.of(times.get(0), "0001-01-01 00:00:00.000000 UTC"),
                        List.of(times.get(1), "1969-12-31 23:59:59.999999 UTC"),
                        List.of(times.get(2), "1970-01-01 00:00:00.000000 UTC"),
                        List.of(times.get(3), "2099-01-01 00:00:00.000000 UTC"),
                        List.of(times.get(4), "9999-12-31 23:59:59.999999 UTC"));
        assertThat(runner.rows("SELECT message FROM times.logs WHERE ts < TIMESTAMP '0001-01-02 00:00:00 UTC'"))
                .containsExactly(List.of(times.get(0)));
        assertThat(runner.rows("SELECT message FROM times.logs WHERE ts > TIMESTAMP '9999-12-31 23:59:59 UTC'"))
                .containsExactly(List.of(times.get(4)));
        assertThat(runner.rows("SELECT message FROM times.logs ORDER BY ts DESC LIMIT 1"))
                .containsExactly(List.of(times.get(4)));
        assertThat(
                        runner.rows(
                                "SELECT message FROM times.logs WHERE date_trunc('hour', ts) = TIMESTAMP '1969-12-31 23:00:00 UTC'"))
                .containsExactly(List.of(times.get(1)));
    }

    @Test
    void valuesOf10Megabytes() {
        String words = "lorem ipsum ".repeat(870_000);
        String word = "x".repeat(10 << 20);
        runner.tables()
                .write(
                        "large",
                        "logs",
                        0,
                        COLUMNS,
                        List.of(
                                row("2026-01-10T00:00:00Z", "small"),
                                SampleRow.of("2026-01-10T00:00:01Z", "message", words + "needle", "level", word),
                                row("2026-01-10T00:00:02Z", "small")));
        assertThat(runner.rows("SELECT length(message), length(level) FROM large.logs ORDER BY ts"))
                .containsExactly(List.of(5L, 4L), List.of(words.length() + 6L, (long) word.length()), List.of(5L, 4L));
        assertThat(runner.rows("SELECT count(*) FROM large.logs WHERE match(message, 'needle')"))
                .containsExactly(List.of(1L));
        assertThat(runner.rows("SELECT count(*) FROM large.logs WHERE level LIKE 'xxx%' AND length(level) > 1000000"))
                .containsExactly(List.of(1L));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
