package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.parquet.ParquetSchema;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.trino.Session;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table whose data files another program has rewritten, in an order of its own: the same rows as in a table of
 * LogBlocks come in every way they can be asked for. DuckDB writes the files, with each of its codecs and encodings.
 */
class CordwoodForeignFilesIT {
    /** Codec, encodings and rows of a row group. */
    private static final List<String> FORMATS = List.of(
            "CODEC 'snappy', PARQUET_VERSION 'V1', ROW_GROUP_SIZE 2048",
            "CODEC 'gzip', PARQUET_VERSION 'V2', ROW_GROUP_SIZE 100000",
            "CODEC 'uncompressed', PARQUET_VERSION 'V2', ROW_GROUP_SIZE 2048",
            "CODEC 'zstd', PARQUET_VERSION 'V1', ROW_GROUP_SIZE 100000",
            "CODEC 'lz4_raw', PARQUET_VERSION 'V1', ROW_GROUP_SIZE 2048",
            "CODEC 'brotli', PARQUET_VERSION 'V1', ROW_GROUP_SIZE 2048");

    /** Each with its order, if it has any. */
    private static final List<String> QUERIES = List.of(
            "SELECT count(*), min(ts), max(ts), count(level), count(attributes) FROM %s.logs",
            "SELECT count(*) FROM %s.logs WHERE ts >= TIMESTAMP '2026-01-11 00:00:00 UTC'",
            "SELECT level, count(*) FROM %s.logs GROUP BY level ORDER BY level",
            "SELECT level, count(*) FROM %s.logs WHERE match(message, 'disk OR timeout') GROUP BY level ORDER BY level",
            "SELECT date_bin(INTERVAL '1' HOUR, ts), count(*) FROM %s.logs WHERE NOT fail GROUP BY 1 ORDER BY 1",
            "SELECT date_trunc('minute', ts), level, count(*) FROM %s.logs GROUP BY 1, 2 ORDER BY 1, 2",
            "SELECT ts, \"$kafka_partition\", \"$kafka_offset\", message FROM %s.logs ORDER BY ts DESC, \"$kafka_partition\", \"$kafka_offset\" LIMIT 37",
            "SELECT ts, \"$kafka_partition\", \"$kafka_offset\" FROM %s.logs WHERE match(level, 'info') ORDER BY ts, \"$kafka_partition\" DESC, \"$kafka_offset\" LIMIT 23",
            "SELECT ts FROM %s.logs WHERE message LIKE '%%timeout%%' ORDER BY ts DESC LIMIT 11",
            "SELECT ts FROM %s.logs ORDER BY ts LIMIT 400",
            "SELECT \"$kafka_partition\", \"$kafka_offset\", ts, level, \"host.name\", message, status, latency, fail, size, CAST(map_entries(attributes) AS JSON) FROM %s.logs ORDER BY 1, 2",
            "SELECT tenant_id <> '', ts, attributes['trace'], \"$kafka_offset\" FROM all_tenants.logs WHERE tenant_id = '%s' ORDER BY ts, \"$kafka_partition\", 4",
            "SELECT \"$kafka_partition\", max(\"$kafka_offset\"), max(\"$tier\") FROM %s.logs GROUP BY 1 ORDER BY 1",
            "SELECT count(*) FROM %s.logs WHERE \"$kafka_partition\" = 1 AND \"$kafka_offset\" BETWEEN 100 AND 250",
            "SELECT ts, message FROM TABLE(cordwood.system.tail(tenant => '%s', rows => 25))");

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of("cordwood.streams", "logs"));
        for (int seed = 21; seed < 24; seed++) {
            SampleLogs.write(runner.tables(), "own", 2_000, seed);
            SampleLogs.write(runner.tables(), "acme", 2_000, seed);
        }
        rewrite("acme", CordwoodForeignFilesIT::withFieldIds);
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    @Test
    void everyFormatIsThere() {
        assertThat(runner.rows("SELECT count(DISTINCT \"$path\") FROM acme.logs"))
                .allSatisfy(row -> assertThat((long) row.getFirst()).isGreaterThanOrEqualTo(FORMATS.size()));
        assertThat(runner.rows("SELECT count(*) FROM acme.logs WHERE \"$path\" NOT LIKE '%/acme-%.parquet'"))
                .containsExactly(List.of(0L));
    }

    @Test
    void everyQueryGivesTheSameRows() {
        Session session = runner.trino().getDefaultSession();
        List<List<List<Object>>> expected = QUERIES.stream()
                .map(query -> runner.rows(query.formatted("own")))
                .toList();
        for (int i = 0; i < QUERIES.size(); i++) {
            assertThat(runner.rows(QUERIES.get(i).formatted("acme")))
                    .as(QUERIES.get(i))
                    .isEqualTo(expected.get(i));
        }
        for (int s = 0; s < CordwoodFilterIT.SWITCHES.size(); s++) {
            Session without = Session.builder(session)
                    .setCatalogSessionProperty("cordwood", CordwoodFilterIT.SWITCHES.get(s), "false")
                    .build();
            for (int i = s % 3; i < QUERIES.size(); i += 3) {
                assertThat(runner.rows(without, QUERIES.get(i).formatted("acme")))
                        .as("%s without %s", QUERIES.get(i), CordwoodFilterIT.SWITCHES.get(s))
                        .isEqualTo(expected.get(i));
            }
        }
    }

    @Test
    void everyConditionHoldsForTheSameRows() {
        for (String condition : CordwoodFilterIT.CONDITIONS) {
            if (condition.contains("tenant_id")) {
                continue;
            }
            String query = "SELECT count(*), sum(\"$kafka_offset\") FROM %s.logs WHERE " + condition.replace("%", "%%");
            assertThat(runner.rows(query.formatted("acme")))
                    .as(condition)
                    .isEqualTo(runner.rows(query.formatted("own")));
        }
    }

    @Test
    void rowsOfThemAreDeleted() throws Exception {
        SampleLogs.write(runner.tables(), "deleted", 2_000, 22);
        rewrite("deleted", CordwoodForeignFilesIT::withFieldIds);
        String condition = "match(message, 'disk') AND status IS NOT NULL";
        long before = count("deleted.logs");
        long victims = count("deleted.logs WHERE " + condition);
        assertThat(victims).isPositive();
        assertThat(runner.trino()
                        .execute("DELETE FROM deleted.logs WHERE " + condition)
                        .getUpdateCount())
                .hasValue(victims);
        assertThat(count("deleted.logs")).isEqualTo(before - victims);
        assertThat(count("deleted.logs WHERE " + condition)).isZero();
        assertThat(count("all_tenants.logs WHERE tenant_id = 'deleted'")).isEqualTo(before - victims);
    }

    /** As programs add files to a table that were made without it: the table says what their columns are called. */
    @Test
    void filesWithoutFieldIdsAreReadByTheNameMapping() throws Exception {
        for (int seed = 21; seed < 24; seed++) {
            SampleLogs.write(runner.tables(), "named", 2_000, seed);
        }
        rewrite("named", any -> "");
        assertThatThrownBy(() -> runner.rows("SELECT max(message) FROM named.logs"))
                .hasMessageContaining("columns have no field ids")
                .hasMessageContaining("schema.name-mapping.default");
        Table table = runner.catalog().catalog().loadTable(TableIdentifier.of("named", "logs"));
        table.updateProperties()
                .set(TableProperties.DEFAULT_NAME_MAPPING, NameMappingParser.toJson(namesInFiles(table)))
                .commit();
        for (String query : QUERIES) {
            assertThat(runner.rows(query.formatted("named"))).as(query).isEqualTo(runner.rows(query.formatted("own")));
        }
        long left = count("named.logs WHERE level IS DISTINCT FROM 'INFO'");
        runner.execute("DELETE FROM named.logs WHERE level = 'INFO'");
        assertThat(count("named.logs")).isEqualTo(left);
    }

    private static NameMapping namesInFiles(Table table) {
        return NameMapping.of(MappingUtil.create(table.schema()).asMappedFields().fields().stream()
                .map(field -> MappedField.of(
                        field.id(),
                        field.names().stream().map(ParquetSchema::name).toList(),
                        field.nestedMapping()))
                .toList());
    }

    private static long count(String from) {
        return (long) runner.rows("SELECT count(*) FROM " + from).getFirst().getFirst();
    }

    /**
     * As Spark's rewrite_data_files does: other files, the same rows. Those of a day's last two LogBlocks are in one
     * file.
     */
    private static void rewrite(String tenant, Function<Table, String> fieldIds) throws Exception {
        Table table = runner.catalog().catalog().loadTable(TableIdentifier.of(tenant, "logs"));
        Map<Integer, List<DataFile>> days = new TreeMap<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().includeColumnStats().planFiles()) {
            tasks.forEach(task -> days.computeIfAbsent(
                            task.file().partition().get(0, Integer.class), any -> new ArrayList<>())
                    .add(task.file()));
        }
        int number = 0;
        for (List<DataFile> files : days.values()) {
            for (int from = 0; from < files.size(); number++) {
                int to = files.size() - from == 2 ? files.size() : from + 1;
                replace(
                        table,
                        files.subList(from, to),
                        home.resolve("%s-%d.parquet".formatted(tenant, number)),
                        number,
                        fieldIds.apply(table));
                from = to;
            }
        }
    }

    private static void replace(Table table, List<DataFile> files, Path file, int number, String fieldIds)
            throws Exception {
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            statement.execute(
                    "COPY (FROM read_parquet([%s], union_by_name = true, hive_partitioning = false) ORDER BY hash(_kafka_offset)) TO '%s' (FORMAT parquet, %s%s)"
                            .formatted(
                                    String.join(
                                            ", ",
                                            files.stream()
                                                    .map(each -> "'" + LocalFileIO.path(each.location()) + "'")
                                                    .toList()),
                                    file,
                                    FORMATS.get(number % FORMATS.size()),
                                    fieldIds));
        }
        DataFiles.Builder rewritten = DataFiles.builder(table.spec())
                .withPath(LocalFileIO.location(file))
                .withFormat("parquet")
                .withPartition(files.getFirst().partition())
                .withFileSizeInBytes(Files.size(file))
                .withRecordCount(rows(files));
        if (number % 2 == 0) {
            rewritten.withMetrics(bounds(table, files));
        }
        RewriteFiles rewrite = table.newRewrite();
        files.forEach(rewrite::deleteFile);
        rewrite.addFile(rewritten.build()).commit();
    }

    private static long rows(Collection<DataFile> files) {
        return files.stream().mapToLong(DataFile::recordCount).sum();
    }

    /** What other programs say of a file: bounds of its times. */
    private static Metrics bounds(Table table, List<DataFile> files) {
        int ts = table.schema().findField("ts").fieldId();
        Map<Integer, ByteBuffer> lower = new HashMap<>();
        Map<Integer, ByteBuffer> upper = new HashMap<>();
        for (DataFile file : files) {
            lower.merge(ts, file.lowerBounds().get(ts), (a, b) -> micros(a) < micros(b) ? a : b);
            upper.merge(ts, file.upperBounds().get(ts), (a, b) -> micros(a) > micros(b) ? a : b);
        }
        return new Metrics(rows(files), null, null, null, null, lower, upper);
    }

    private static long micros(ByteBuffer bound) {
        return bound.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(bound.position());
    }

    private static String withFieldIds(Table table) {
        List<String> ids = new ArrayList<>();
        for (Column column :
                TableSchemas.logBlockSchema(table.schema(), table.properties()).columns()) {
            String name = '"' + ParquetSchema.name(column.name()) + '"';
            ids.add(
                    column.type() == ColumnType.MAP
                            ? "%s: {__duckdb_field_id: %d, key: %d, value: %d}"
                                    .formatted(name, column.fieldId(), column.keyFieldId(), column.valueFieldId())
                            : "%s: %d".formatted(name, column.fieldId()));
        }
        return ", FIELD_IDS {%s}".formatted(String.join(", ", ids));
    }
}
