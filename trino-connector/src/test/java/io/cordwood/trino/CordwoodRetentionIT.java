package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.maintenance.Retention;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.trino.GateFunction.Gate;
import io.trino.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Old days are deleted, and their files removed, while a query runs: its answer is whole, or there is none. */
@Timeout(60)
class CordwoodRetentionIT {
    private static final int DAYS = 20;
    private static final int EXPIRED_DAYS = 15;
    private static final int ROWS_A_DAY = 10;
    private static final List<Object> ALL = List.of((long) DAYS * ROWS_A_DAY, (long) DAYS * ROWS_A_DAY);
    private static final List<Object> KEPT = List.of((long) (DAYS - EXPIRED_DAYS) * ROWS_A_DAY, 50L);
    private static final List<ColumnDefinition> COLUMNS =
            List.of(ColumnDefinition.keyword("level"), ColumnDefinition.of("n", ColumnType.BIGINT));

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;
    private static Session uncached;
    private static ExecutorService queries;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of("cordwood.streams", "logs"));
        runner.trino().installPlugin(new GateFunction.GatePlugin());
        uncached = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_cache", "false")
                // One LogBlock after the other, so that most are not open yet when the query is held.
                .setSystemProperty("max_drivers_per_task", "1")
                .build();
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
    void aQueryThatNeedsARemovedFileFails() throws Exception {
        write("overtaken");
        Gate gate = GateFunction.close();
        CompletableFuture<List<List<Object>>> running = CompletableFuture.supplyAsync(
                () -> runner.rows(uncached, "SELECT count(n), count(level) FROM overtaken.logs WHERE gate(n)"),
                queries);
        gate.await(running);
        List<String> removed = expire("overtaken");
        gate.open();
        assertThatThrownBy(running::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("of tenant 'overtaken': it no longer exists. If retention")
                .hasMessageContaining("run the query again")
                .message()
                .containsAnyOf(removed.toArray(String[]::new));
        assertThat(runner.rows(uncached, "SELECT count(n), count(level) FROM overtaken.logs"))
                .containsExactly(KEPT);
    }

    @Test
    void aQueryThatHasReadItsFilesGivesItsSnapshot() throws Exception {
        write("read");
        Gate gate = GateFunction.close();
        CompletableFuture<List<List<Object>>> running = CompletableFuture.supplyAsync(
                () -> runner.rows(uncached, "SELECT count(n), count(level) FROM read.logs HAVING gate(count(n))"),
                queries);
        gate.await(running);
        expire("read");
        gate.open();
        assertThat(running.get()).containsExactly(ALL);
        assertThat(runner.rows(uncached, "SELECT count(n), count(level) FROM read.logs"))
                .containsExactly(KEPT);
    }

    @Test
    void whatCachesHoldOfRemovedFilesIsTheSnapshotOfTheQueriesThatNeedIt() throws Exception {
        write("cached");
        assertThat(runner.rows("SELECT count(n), count(level) FROM cached.logs WHERE n >= 0 AND level = 'INFO'"))
                .containsExactly(ALL);
        Gate gate = GateFunction.close();
        CompletableFuture<List<List<Object>>> running = CompletableFuture.supplyAsync(
                () -> runner.rows(
                        "SELECT count(n), count(level) FROM cached.logs WHERE n >= 0 AND level = 'INFO' AND gate(n)"),
                queries);
        gate.await(running);
        expire("cached");
        gate.open();
        assertThat(running.get()).containsExactly(ALL);
        assertThat(runner.rows("SELECT count(n), count(level) FROM cached.logs WHERE n >= 0 AND level = 'INFO'"))
                .containsExactly(KEPT);
    }

    private static void write(String tenant) {
        List<SampleRow> rows = new ArrayList<>();
        for (int day = 0; day < DAYS; day++) {
            for (int i = 0; i < ROWS_A_DAY; i++) {
                rows.add(SampleRow.of("2026-01-%02dT00:00:00Z".formatted(day + 1), "n", (long) i, "level", "INFO"));
            }
        }
        runner.tables().write(tenant, "logs", 0, COLUMNS, rows);
    }

    /** Drops the older days; their objects are gone then, though a snapshot still refers to them. */
    private static List<String> expire(String tenant) throws Exception {
        Table table = runner.catalog().catalog().loadTable(TableIdentifier.of(tenant, "logs"));
        List<String> before = paths(table);
        new Retention(runner.catalog().catalog())
                .apply(
                        tenant,
                        "logs",
                        DAYS - EXPIRED_DAYS - 1,
                        Instant.parse("2026-01-%02dT00:00:00Z".formatted(DAYS)));
        List<String> removed = before.stream()
                .filter(path -> !Files.exists(LocalFileIO.path(path)))
                .toList();
        assertThat(removed).hasSize(EXPIRED_DAYS).doesNotContainAnyElementsOf(paths(table));
        return removed;
    }

    /** Not by SQL: a query that is held keeps the server's threads. */
    private static List<String> paths(Table table) throws IOException {
        table.refresh();
        List<String> paths = new ArrayList<>();
        try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
            files.forEach(file -> paths.add(file.file().location()));
        }
        return paths;
    }
}
