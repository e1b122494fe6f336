package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.commit.ManifestFilters;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.ColumnDefinition;
import io.trino.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters in manifests keep LogBlocks closed, and change no answer: there, switched off, damaged or gone. */
class CordwoodTokenFiltersIT {
    private static final int LOGBLOCKS = 24;
    private static final int ROWS = 40;
    private static final String OPENED = "LogBlocks opened";
    private static final String PRUNED = "LogBlocks pruned by token filters";
    private static final String UNUSABLE = "token filters unusable";

    private static final List<String> CONDITIONS = List.of(
            "match(message, 'id17x9')",
            "match(message, 'nowhere')",
            "match(message, '\"request id17x9\"')",
            "match(message, '\"id17x9 request\"')",
            "match(message, 'id17x9 OR id18x3 OR absent')",
            "match(message, 'id17x9 NOT id18x3')",
            "match(message, 'id23x*')",
            "match(message, 'id17x9') OR trace = 'T-20-3'",
            "match(message, 'id17x9') OR attributes['none'] = 'x'",
            "NOT match(message, 'request')",
            "message LIKE '% id5x5 %'",
            "message = 'the request id5x5 ended'",
            "trace = 'T-20-3'",
            "trace IN ('T-20-3', 'T-21-4', 't-22-5')",
            "match(trace, 't-20-3')",
            "match(trace, 't-2*')",
            "trace = 'T-20-3' AND match(message, 'id17x9')",
            "trace IS NULL");

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;
    private static Session off;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of());
        off = Session.builder(runner.trino().getDefaultSession())
                .setCatalogSessionProperty("cordwood", "use_token_filters", "false")
                .build();
        for (String tenant : List.of("whole", "damaged", "gone")) {
            write(tenant);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    private static void write(String tenant) {
        for (int logBlock = 0; logBlock < LOGBLOCKS; logBlock++) {
            List<SampleRow> rows = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                // Bounds tell nothing: every LogBlock begins and ends alike
                boolean atEnd = row == 0 || row == ROWS - 1;
                rows.add(new SampleRow(
                        SampleLogs.START_MICROS + (row * (long) LOGBLOCKS + logBlock) * 1000,
                        Map.of(
                                "trace",
                                atEnd ? "T-" + (row == 0 ? "0" : "9") : "T-%d-%d".formatted(logBlock, row),
                                "message",
                                "the request id%dx%d ended".formatted(logBlock, row))));
            }
            runner.tables()
                    .write(
                            tenant,
                            "logs",
                            0,
                            List.of(ColumnDefinition.keyword("trace"), ColumnDefinition.text("message")),
                            rows);
        }
    }

    @Test
    void aNeedleOpensOneLogBlock() throws IOException {
        for (String condition : List.of("match(message, 'id17x9')", "trace = 'T-20-3'", "match(trace, 't-20-3')")) {
            Map<String, Long> metrics = metrics("whole", condition);
            assertThat(metrics.get(OPENED)).as(condition).isEqualTo(1);
            assertThat(metrics.get(PRUNED)).as(condition).isEqualTo(LOGBLOCKS - 1L);
            assertThat(metrics.get(UNUSABLE)).isZero();
            assertThat(ScanMetrics.of(runner, off, sql("whole", condition)))
                    .as(condition)
                    .containsEntry(PRUNED, 0L)
                    .containsEntry(OPENED, (long) LOGBLOCKS);
        }
        // Over all tenants too, and after another program has written the manifests anew
        assertThat(ScanMetrics.of(
                        runner,
                        "SELECT ts FROM all_tenants.logs WHERE tenant_id = 'whole' AND match(message, 'id17x9')"))
                .containsEntry(OPENED, 1L);
        table("whole").rewriteManifests().clusterBy(file -> 1).commit();
        assertThat(metrics("whole", "match(message, 'id17x9')").get(OPENED)).isEqualTo(1);
    }

    @Test
    void answersAreThoseWithoutFilters() {
        for (String condition : CONDITIONS) {
            assertSame("whole", condition);
        }
    }

    @Test
    void aDamagedFilterIsNotUsed() throws IOException {
        rewrite("damaged", filter -> {
            byte[] bytes = new byte[filter.remaining()];
            filter.duplicate().get(bytes);
            bytes[bytes.length / 2] ^= 1;
            return ByteBuffer.wrap(bytes);
        });
        assertAllOpened("damaged", LOGBLOCKS);
    }

    @Test
    void withoutAFilterALogBlockIsOpened() throws IOException {
        rewrite("gone", any -> null);
        assertAllOpened("gone", 0);
    }

    private static void assertAllOpened(String tenant, long unusable) {
        assertThat(metrics(tenant, "match(message, 'id17x9')"))
                .containsEntry(OPENED, (long) LOGBLOCKS)
                .containsEntry(PRUNED, 0L)
                .containsEntry(UNUSABLE, unusable);
        for (String condition : CONDITIONS) {
            assertThat(runner.rows(sql(tenant, condition)))
                    .as(condition)
                    .containsExactlyInAnyOrderElementsOf(runner.rows(sql("whole", condition)));
        }
    }

    /** Each LogBlock once more under another name, with another filter or none. */
    private static void rewrite(String tenant, UnaryOperator<ByteBuffer> change) throws IOException {
        Table table = table(tenant);
        OverwriteFiles overwrite = table.newOverwrite();
        try (CloseableIterable<FileScanTask> files =
                table.newScan().includeColumnStats().planFiles()) {
            for (FileScanTask task : files) {
                DataFile file = task.file();
                String copy = file.location().replace(".parquet", "-copy.parquet");
                Files.copy(LocalFileIO.path(file.location()), LocalFileIO.path(copy));
                Map<Integer, ByteBuffer> lower = new HashMap<>(file.lowerBounds());
                assertThat(lower).containsKey(ManifestFilters.FIELD_ID);
                lower.compute(ManifestFilters.FIELD_ID, (id, filter) -> change.apply(filter));
                overwrite.deleteFile(file);
                overwrite.addFile(DataFiles.builder(table.spec())
                        .copy(file)
                        .withPath(copy)
                        .withMetrics(new Metrics(
                                file.recordCount(),
                                file.columnSizes(),
                                file.valueCounts(),
                                file.nullValueCounts(),
                                file.nanValueCounts(),
                                lower,
                                file.upperBounds()))
                        .build());
            }
        }
        overwrite.commit();
    }

    private static Table table(String tenant) {
        return runner.catalog().catalog().loadTable(TableIdentifier.of(tenant, "logs"));
    }

    private static void assertSame(String tenant, String condition) {
        String sql = sql(tenant, condition);
        assertThat(runner.rows(sql)).as(sql).containsExactlyInAnyOrderElementsOf(runner.rows(off, sql));
    }

    private static Map<String, Long> metrics(String tenant, String condition) {
        return ScanMetrics.of(runner, sql(tenant, condition));
    }

    private static String sql(String tenant, String condition) {
        return "SELECT ts, trace, message FROM %s.logs WHERE %s".formatted(tenant, condition);
    }
}
