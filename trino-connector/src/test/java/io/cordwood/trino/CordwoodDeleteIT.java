package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.maintenance.Deletions;
import io.cordwood.catalog.table.TableOffsets;
import io.trino.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.DVFileWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Deleted rows are gone for every kind of query, and for other engines; those that stay are all there. */
@Timeout(900)
class CordwoodDeleteIT {
    private static final String KEYS =
            "SELECT concat(CAST(ts AS varchar), '/', CAST(\"$kafka_partition\" AS varchar), '/', CAST(\"$kafka_offset\" AS varchar)) FROM ";

    private static final List<String> ORDERS = List.of(
            "SELECT ts, \"$kafka_partition\", \"$kafka_offset\", message FROM %s ORDER BY ts DESC, \"$kafka_partition\", \"$kafka_offset\" LIMIT 37",
            "SELECT ts, \"$kafka_partition\", \"$kafka_offset\" FROM %s ORDER BY ts, \"$kafka_partition\", \"$kafka_offset\" LIMIT 1200",
            "SELECT ts, \"$kafka_partition\", \"$kafka_offset\" FROM %s WHERE fail ORDER BY ts DESC, \"$kafka_partition\", \"$kafka_offset\" LIMIT 23",
            "SELECT date_trunc('hour', ts), count(*) FROM %s GROUP BY 1 ORDER BY 1",
            "SELECT date_trunc('day', ts), count(*) FROM %s GROUP BY 1 ORDER BY 1",
            "SELECT date_trunc('minute', ts), count(*) FROM %s WHERE level = 'INFO' GROUP BY 1 ORDER BY 1",
            "SELECT level, count(*) FROM %s GROUP BY 1 ORDER BY 1");

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;
    private static ExecutorService queries;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of("cordwood.streams", "logs"));
        runner.trino().installPlugin(new GateFunction.GatePlugin());
        queries = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void stop() throws Exception {
        queries.shutdownNow();
        runner.close();
    }

    /** Also after a failure: a query that is held keeps the server's threads. */
    @AfterEach
    void openGate() {
        GateFunction.current().open();
    }

    @Test
    void whatIsDeletedIsGoneForEveryQuery() {
        SampleLogs.write(runner.tables(), "acme", 6_000, 11);
        SampleLogs.write(runner.tables(), "neighbour", 400, 12);
        TableOffsets offsets = offsets("acme");
        for (String condition : List.of(
                "match(message, 'disk') AND status IS NOT NULL",
                "ts BETWEEN TIMESTAMP '2026-01-10 10:00:00 UTC' AND TIMESTAMP '2026-01-10 11:30:00 UTC'",
                "\"host.name\" IN ('host-3', 'host-4') OR length(level) = 11",
                "\"$kafka_partition\" = 1 AND \"$kafka_offset\" < 40",
                "level = 'nowhere'")) {
            Set<String> before = keys("acme.logs");
            Set<String> victims = keys("acme.logs WHERE " + condition);
            assertThat(runner.trino()
                            .execute("DELETE FROM acme.logs WHERE " + condition)
                            .getUpdateCount())
                    .as(condition)
                    .hasValue(victims.size());
            before.removeAll(victims);
            assertThat(keys("acme.logs")).as(condition).isEqualTo(before);
            assertThat(runner.rows("SELECT count(*) FROM acme.logs WHERE " + condition))
                    .containsExactly(List.of(0L));
            assertThat(runner.rows("SELECT count(*) FROM acme.logs")).containsExactly(List.of((long) before.size()));
            assertThat(runner.rows("SELECT count(*) FROM all_tenants.logs WHERE tenant_id = 'acme'"))
                    .containsExactly(List.of((long) before.size()));
        }
        long left = keys("acme.logs").size();
        assertThat(left).isBetween(1_000L, 5_000L);
        assertThat(keys("neighbour.logs")).hasSize(400);
        assertThat(offsets("acme").toJson()).isEqualTo(offsets.toJson());
        assertThat(runner.rows("EXPLAIN SELECT ts FROM logs").toString()).contains("rows: " + left + " ");

        Session session = runner.trino().getDefaultSession();
        List<String> conditions = CordwoodFilterIT.CONDITIONS;
        Map<String, List<Object>> expected = CordwoodFilterIT.expectedRows(runner, conditions);
        CordwoodFilterIT.assertRows(runner, session, expected);
        Map<String, List<List<Object>>> inOrder = ORDERS.stream()
                .collect(Collectors.toMap(
                        query -> query, query -> runner.rows(query.formatted(CordwoodFilterIT.UNPUSHED))));
        assertOrders(session, left, inOrder);
        List<String> switches = CordwoodFilterIT.SWITCHES;
        for (int offset = 0; offset < switches.size(); offset++) {
            Session without = Session.builder(session)
                    .setCatalogSessionProperty("cordwood", switches.get(offset), "false")
                    .build();
            // Those of time with each switch, each other one with one of them
            Map<String, List<Object>> rows = new HashMap<>();
            for (int i = 0; i < conditions.size(); i++) {
                String condition = conditions.get(i);
                if (i % switches.size() == offset || condition.startsWith("ts ")) {
                    rows.put(condition, expected.get(condition));
                }
            }
            CordwoodFilterIT.assertRows(runner, without, rows);
            assertOrders(without, left, inOrder);
        }
    }

    private static void assertOrders(Session session, long rows, Map<String, List<List<Object>>> expected) {
        assertThat(runner.rows(session, "SELECT count(*) FROM logs")).containsExactly(List.of(rows));
        assertThat(runner.rows(session, "SELECT count(*) FROM (SELECT ts FROM logs LIMIT " + (rows + 10) + ")"))
                .containsExactly(List.of(rows));
        expected.forEach((query, inOrder) -> assertThat(runner.rows(session, query.formatted("logs")))
                .as(query)
                .isEqualTo(inOrder));
    }

    @Test
    void allRowsCanBeDeleted() {
        SampleLogs.write(runner.tables(), "whole", 800, 3);
        assertThat(runner.trino().execute("DELETE FROM whole.logs").getUpdateCount())
                .hasValue(800);
        assertThat(runner.rows("SELECT count(*) FROM whole.logs")).containsExactly(List.of(0L));
        assertThat(runner.rows("SELECT ts FROM whole.logs ORDER BY ts DESC LIMIT 3"))
                .isEmpty();
        SampleLogs.write(runner.tables(), "whole", 80, 4);
        assertThat(keys("whole.logs")).hasSize(80);
        // Manifests count nulls of deleted rows too
        assertThat(runner.rows("SHOW STATS FOR whole.logs").getLast().get(4)).isEqualTo(80.0);
    }

    @Test
    void otherEnginesSeeTheSameRows() throws Exception {
        SampleLogs.write(runner.tables(), "shared", 2_000, 21);
        runner.execute("DELETE FROM shared.logs WHERE match(message, 'timeout')");
        runner.execute("DELETE FROM shared.logs WHERE fail");
        Set<String> deletes = new TreeSet<>();
        try (CloseableIterable<FileScanTask> tasks = table("shared").newScan().planFiles()) {
            tasks.forEach(task -> {
                task.deletes().forEach(delete -> deletes.add(delete.location()));
            });
        }
        assertThat(deletes).hasSizeGreaterThan(2);
        Path deleteFiles = LocalFileIO.path(table("shared").location()).resolve("data");
        assertThat(deletes)
                .allSatisfy(file -> assertThat(LocalFileIO.path(file)).startsWith(deleteFiles));
        // Iceberg's own plan says which delete files apply to which data file; DuckDB reads both
        Set<String> seen = new HashSet<>();
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement();
                CloseableIterable<FileScanTask> tasks =
                        table("shared").newScan().planFiles()) {
            for (FileScanTask task : tasks) {
                seen.addAll(rowsOf(statement, task));
            }
        }
        assertThat(seen)
                .isEqualTo(runner
                        .rows(
                                "SELECT CAST(\"$kafka_partition\" AS varchar) || '/' || CAST(\"$kafka_offset\" AS varchar) FROM"
                                        + " shared.logs")
                        .stream()
                        .map(row -> (String) row.getFirst())
                        .collect(Collectors.toSet()));
    }

    private static List<String> rowsOf(Statement duckDb, FileScanTask task) throws SQLException {
        String deleted = task.deletes().stream()
                .map(delete -> "SELECT pos FROM read_parquet('%s') WHERE file_path = '%s'"
                        .formatted(
                                LocalFileIO.path(delete.location()), task.file().location()))
                .collect(Collectors.joining(" UNION ALL "));
        List<String> rows = new ArrayList<>();
        try (ResultSet result = duckDb.executeQuery(
                "SELECT _kafka_partition || '/' || _kafka_offset FROM read_parquet('%s', file_row_number = true) WHERE file_row_number NOT IN (%s)"
                        .formatted(
                                LocalFileIO.path(task.file().location()), deleted.isEmpty() ? "SELECT -1" : deleted))) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    @Test
    void deletesOfOthersAreHonoured() throws Exception {
        SampleLogs.write(runner.tables(), "foreign", 1_200, 31);
        Table table = table("foreign");
        List<DataFile> files = files(table);
        Set<String> before = keys("foreign.logs");
        DataFile first = files.get(0);
        DataFile second = files.stream()
                .filter(file -> file != first && file.partition().equals(first.partition()))
                .findFirst()
                .orElseThrow();
        Path deletes = home.resolve("foreign.parquet");
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            statement.execute(
                    "COPY (SELECT p AS file_path, pos FROM (VALUES ('%s'), ('%s')) f(p), range(20) t(pos) ORDER BY ALL) TO '%s' (FORMAT PARQUET, CODEC 'snappy', FIELD_IDS {file_path: 2147483546, pos: 2147483545})"
                            .formatted(first.location(), second.location(), deletes));
        }
        table.newRowDelta().addDeletes(deleteFile(table, first, deletes, 40)).commit();
        Set<String> left = keys("foreign.logs");
        assertThat(before).containsAll(left);
        assertThat(left).hasSize(before.size() - 40);
        assertThat(runner.rows("SELECT count(*) FROM foreign.logs")).containsExactly(List.of((long) left.size()));
        // What is deleted twice is deleted once
        runner.execute("DELETE FROM foreign.logs WHERE \"$path\" = '%s'".formatted(first.location()));
        assertThat(runner.rows("SELECT count(*) FROM foreign.logs WHERE \"$path\" = '%s'".formatted(first.location())))
                .containsExactly(List.of(0L));
        assertThat(keys("foreign.logs")).hasSize((int) (before.size() - first.recordCount() - 20));

        Files.delete(deletes);
        assertThatThrownBy(() -> runner.rows(
                        Session.builder(runner.trino().getDefaultSession())
                                .setCatalogSessionProperty("cordwood", "use_cache", "false")
                                .build(),
                        "SELECT count(*) FROM foreign.logs"))
                .hasMessageContaining("Cannot determine which rows of the LogBlock")
                .hasMessageContaining("it no longer exists");
    }

    @Test
    void deletionVectorsAreHonoured() throws Exception {
        SampleLogs.write(runner.tables(), "vectors", 1_200, 32);
        Table table = table("vectors");
        table.updateProperties().set("format-version", "3").commit();
        DataFile file = files(table).getFirst();
        DVFileWriter writer = new BaseDVFileWriter(
                OutputFileFactory.builderFor(table, 1, 1)
                        .format(FileFormat.PUFFIN)
                        .build(),
                path -> null);
        try (writer) {
            for (int row = 0; row < 30; row++) {
                writer.delete(file.location(), row, table.spec(), file.partition());
            }
        }
        DeleteFile vector = writer.result().deleteFiles().getFirst();
        table.newRowDelta().addDeletes(vector).commit();
        assertThat(keys("vectors.logs")).hasSize(1_170);
        assertThat(runner.rows("SELECT count(*) FROM vectors.logs")).containsExactly(List.of(1_170L));
    }

    /**
     * As Flink and Spark write them when they upsert: by the values of columns, for the rows that were there before.
     */
    @Test
    void equalityDeletesOfOthersAreApplied() throws Exception {
        SampleLogs.write(runner.tables(), "equality", 2_000, 33);
        Table table = table("equality");
        DataFile file = files(table).getFirst();
        String day = "date(ts AT TIME ZONE 'UTC') = DATE '1970-01-01' + INTERVAL '%d' DAY"
                .formatted(file.partition().get(0, Integer.class));
        String deleted = "(" + day + " AND (level = 'INFO' AND \"host.name\" IN ('host-7', 'host-8')"
                + " OR level IS NULL AND \"host.name\" = 'host-3'))";
        Set<String> expected = keys("equality.logs WHERE NOT coalesce(" + deleted + ", false)");
        int before = keys("equality.logs").size();
        assertThat(expected).hasSizeLessThan(before);
        Path deletes = home.resolve("equality.parquet");
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            statement.execute(
                    "COPY (FROM (VALUES ('host-7', 'INFO'), ('host-8', 'INFO'), ('host-3', NULL)) v(host, level)) TO '%s' (FORMAT PARQUET, CODEC 'snappy', FIELD_IDS {host: %d, level: %d})"
                            .formatted(
                                    deletes,
                                    table.schema().findField("host.name").fieldId(),
                                    table.schema().findField("level").fieldId()));
        }
        table.newRowDelta()
                .addDeletes(FileMetadata.deleteFileBuilder(table.spec())
                        .ofEqualityDeletes(
                                table.schema().findField("level").fieldId(),
                                table.schema().findField("host.name").fieldId())
                        .withFormat(FileFormat.PARQUET)
                        .withPath(LocalFileIO.location(deletes))
                        .withPartition(file.partition())
                        .withFileSizeInBytes(Files.size(deletes))
                        .withRecordCount(3)
                        .build())
                .commit();
        assertThat(keys("equality.logs")).isEqualTo(expected);
        assertThat(runner.rows("SELECT count(*) FROM equality.logs")).containsExactly(List.of((long) expected.size()));
        assertThat(runner.rows("SELECT count(*) FROM equality.logs WHERE " + deleted))
                .containsExactly(List.of(0L));
        assertThat(runner.rows(
                        "SELECT sum(n) FROM (SELECT date_trunc('hour', ts), count(*) n FROM equality.logs GROUP BY 1)"))
                .containsExactly(List.of((long) expected.size()));
        assertThat(runner.rows("SELECT count(*) FROM (SELECT ts FROM equality.logs ORDER BY ts DESC LIMIT 5000)"))
                .containsExactly(List.of((long) expected.size()));

        // Rows with the same values that come later stay, and ours can be deleted beside it
        SampleLogs.write(runner.tables(), "equality", 2_000, 34);
        assertThat(runner.rows("SELECT count(*) > 0 FROM equality.logs WHERE " + deleted))
                .containsExactly(List.of(true));
        assertThat(keys("equality.logs")).containsAll(expected).hasSize(expected.size() + 2_000);
        Set<String> others = keys("equality.logs WHERE coalesce(\"host.name\" <> 'host-7', true)");
        // A column that is dropped is still in the files
        table.updateSchema().deleteColumn("level").commit();
        runner.execute("DELETE FROM equality.logs WHERE \"host.name\" = 'host-7'");
        assertThat(keys("equality.logs")).isEqualTo(others);
    }

    @Test
    void deletesThatCannotBeReadAreRefused() throws Exception {
        SampleLogs.write(runner.tables(), "refused", 100, 33);
        Table table = table("refused");
        DataFile file = files(table).getFirst();
        table.newRowDelta()
                .addDeletes(FileMetadata.deleteFileBuilder(table.spec())
                        .ofEqualityDeletes(table.schema().findField("level").fieldId())
                        .withFormat(FileFormat.AVRO)
                        .withPath(LocalFileIO.location(home.resolve("equality.avro")))
                        .withPartition(file.partition())
                        .withFileSizeInBytes(100)
                        .withRecordCount(1)
                        .build())
                .commit();
        assertThatThrownBy(() -> runner.rows("SELECT count(*) FROM refused.logs"))
                .hasMessageContaining("table 'logs' of tenant 'refused'")
                .hasMessageContaining("equality.avro")
                .hasMessageContaining("is of format AVRO");
    }

    @Test
    void onlyDeleteIsThere() {
        SampleLogs.write(runner.tables(), "readonly", 100, 5);
        assertThatThrownBy(() -> runner.execute("UPDATE readonly.logs SET level = 'x'"))
                .hasMessageContaining("only DELETE is supported");
        assertThatThrownBy(() -> runner.execute("INSERT INTO readonly.logs (ts) VALUES (now())"))
                .hasMessageContaining("rows come from Kafka");
        assertThatThrownBy(
                        () -> runner.execute(
                                "MERGE INTO readonly.logs l USING (VALUES 'x') v(x) ON l.level = v.x WHEN MATCHED THEN UPDATE SET level = 'y'"))
                .hasMessageContaining("only DELETE is supported");
        assertThatThrownBy(() -> runner.execute("DELETE FROM all_tenants.logs WHERE tenant_id = 'readonly'"))
                .hasMessageContaining("delete from the table of one tenant");
        assertThatThrownBy(() -> runner.execute("DELETE FROM system.deletions")).hasMessageContaining("Cannot delete");
        assertThat(keys("readonly.logs")).hasSize(100);
    }

    @Test
    void aRewriteBesideItMakesItFailAndAnAppendDoesNot() throws Exception {
        SampleLogs.write(runner.tables(), "busy", 400, 6);
        GateFunction.Gate gate = GateFunction.close();
        CompletableFuture<?> appended = CompletableFuture.runAsync(
                () -> runner.execute("DELETE FROM busy.logs WHERE gate(status) AND status = 404"), queries);
        gate.await(appended);
        SampleLogs.write(runner.tables(), "busy", 400, 7);
        gate.open();
        appended.get();
        long left = keys("busy.logs").size();
        assertThat(left).isLessThan(800);

        GateFunction.Gate second = GateFunction.close();
        CompletableFuture<?> rewritten = CompletableFuture.runAsync(
                () -> runner.execute("DELETE FROM busy.logs WHERE gate(status) AND status = 200"), queries);
        second.await(rewritten);
        Table table = table("busy");
        List<DataFile> files = files(table);
        for (DataFile file : files) {
            Path copy = home.resolve("copy-" + LocalFileIO.path(file.location()).getFileName());
            Files.copy(LocalFileIO.path(file.location()), copy);
            DataFile replacement = DataFiles.builder(table.spec())
                    .copy(file)
                    .withPath(LocalFileIO.location(copy))
                    .build();
            table.newOverwrite().deleteFile(file).addFile(replacement).commit();
        }
        second.open();
        assertThatThrownBy(rewritten::get)
                .hasMessageContaining("no row was deleted")
                .hasMessageContaining("run the DELETE again");
        assertThat(runner.catalog().deletions().stream()
                        .filter(deletion -> deletion.tenantId().equals("busy")))
                .as("what deleted nothing is not in the registry")
                .hasSize(1);
    }

    @Test
    void theRegistryTellsUntilTheBytesAreGone() throws Exception {
        SampleLogs.write(runner.tables(), "audited", 400, 8);
        Set<String> victims = keys("audited.logs WHERE level = 'INFO'");
        runner.execute("DELETE FROM audited.logs WHERE level = 'INFO'");
        String query =
                "SELECT stream, \"user\", rows, status, gone_at IS NULL, predicate LIKE '%INFO%', logblocks > 0, requested_at > current_timestamp - INTERVAL '10' MINUTE, snapshot_id FROM system.deletions WHERE tenant_id = 'audited'";
        long snapshot = table("audited").currentSnapshot().snapshotId();
        assertThat(runner.rows(query))
                .containsExactly(
                        List.of("logs", "admin", (long) victims.size(), "invisible", true, true, true, true, snapshot));

        Deletions deletions = new Deletions(runner.catalog());
        assertThat(deletions.settle("audited", "logs", System.currentTimeMillis()))
                .isEmpty();
        Deletion deletion = runner.catalog().deletions().stream()
                .filter(each -> each.tenantId().equals("audited"))
                .findFirst()
                .orElseThrow();
        List<String> touched = deletion.dataFiles();
        for (String file : touched.subList(1, touched.size())) {
            Files.delete(LocalFileIO.path(file));
        }
        assertThat(deletions.settle("audited", "logs", System.currentTimeMillis()))
                .isEmpty();
        Files.delete(LocalFileIO.path(touched.getFirst()));
        assertThat(deletions.settle("audited", "logs", System.currentTimeMillis()))
                .extracting(Deletion::id)
                .containsExactly(deletion.id());
        assertThat(deletions.settle("audited", "logs", System.currentTimeMillis()))
                .isEmpty();
        assertThat(runner.rows("SELECT status, gone_at IS NULL FROM system.deletions WHERE tenant_id = 'audited'"))
                .containsExactly(List.of("gone", false));
    }

    private static DeleteFile deleteFile(Table table, DataFile of, Path deletes, long rows) throws IOException {
        return FileMetadata.deleteFileBuilder(table.spec())
                .ofPositionDeletes()
                .withFormat(FileFormat.PARQUET)
                .withPath(LocalFileIO.location(deletes))
                .withPartition(of.partition())
                .withFileSizeInBytes(Files.size(deletes))
                .withRecordCount(rows)
                .build();
    }

    private static Table table(String tenant) {
        return runner.catalog().catalog().loadTable(TableIdentifier.of(tenant, "logs"));
    }

    private static TableOffsets offsets(String tenant) {
        return runner.catalog().table(tenant, "logs").orElseThrow().offsets();
    }

    private static List<DataFile> files(Table table) throws IOException {
        List<DataFile> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().includeColumnStats().planFiles()) {
            tasks.forEach(task -> files.add(task.file()));
        }
        return files;
    }

    private static Set<String> keys(String from) {
        List<List<Object>> rows = runner.rows(KEYS + from);
        Set<String> keys = rows.stream().map(row -> (String) row.getFirst()).collect(Collectors.toSet());
        assertThat(keys).hasSameSizeAs(rows);
        return keys;
    }
}
