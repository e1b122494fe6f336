package io.cordwood.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.ColumnMetrics;
import io.cordwood.logblock.LogBlockSummary;
import io.cordwood.logblock.TimeRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.PositionOutputStream;

/** A table to commit to, and LogBlocks that hold nothing but their label: only metadata matters here. */
final class CatalogFixture {
    static final String TENANT = "Acme";
    static final String STREAM = "logs";
    static final PartitionId PARTITION = new PartitionId("topic-A", 3);
    static final TableIdentifier IDENTIFIER = TenantNames.table(TENANT, STREAM);

    static final long HOUR = 480_000;
    static final long RAW_BYTES_PER_ROW = 10;

    private static final int DAY = 20_000;

    private final Catalog catalog;

    CatalogFixture(Catalog catalog) {
        this.catalog = catalog;
    }

    Table createTable() {
        SupportsNamespaces namespaces = (SupportsNamespaces) catalog;
        if (!namespaces.namespaceExists(IDENTIFIER.namespace())) {
            namespaces.createNamespace(IDENTIFIER.namespace());
        }
        return catalog.buildTable(IDENTIFIER, TableSchemas.baseSchema())
                .withPartitionSpec(TableSchemas.daySpec(TableSchemas.baseSchema()))
                .withProperties(TableHygiene.properties())
                .create();
    }

    Table table() {
        return catalog.loadTable(IDENTIFIER);
    }

    TableOffsets offsets() {
        return TableOffsets.fromProperties(table().properties());
    }

    long offset() {
        return offsets().offset(PARTITION);
    }

    /** A flush of the partition with one LogBlock, which has one row for each offset. */
    Flush flush(long from, long to) {
        return flush(PARTITION, from, to);
    }

    Flush flush(PartitionId partition, long from, long to) {
        Table table = table();
        LogBlockFile file = logBlock(table.io(), table.location(), partition, from, to, DAY);
        return flush(partition, from, to, List.of(file));
    }

    Flush flush(PartitionId partition, long from, long to, List<LogBlockFile> files) {
        return new Flush(
                partition.topicId(),
                partition.partition(),
                from,
                to,
                table().uuid().toString(),
                files,
                intake(from, files));
    }

    /** All rows of the files came in within one hour, with ten bytes each. */
    static List<Intake> intake(long from, List<LogBlockFile> files) {
        long rows = Intake.rows(files);
        return rows == 0 ? List.of() : List.of(new Intake(from, HOUR, rows, rows * RAW_BYTES_PER_ROW));
    }

    /** Trims by writing a new LogBlock under the new label. */
    List<LogBlockFile> trim(Flush flush, long firstOffset) {
        Table table = table();
        return List.of(logBlock(table.io(), table.location(), flush.partitionId(), firstOffset, flush.to(), DAY));
    }

    LogBlockFile logBlock(PartitionId partition, long from, long to, int epochDay) {
        Table table = table();
        return logBlock(table.io(), table.location(), partition, from, to, epochDay);
    }

    static LogBlockFile logBlock(
            FileIO io, String tableLocation, PartitionId partition, long from, long to, int epochDay) {
        String location = LogBlockNames.newLocation(tableLocation, epochDay, partition, from, to);
        try (PositionOutputStream out = io.newOutputFile(location).create()) {
            out.write(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<Integer, ColumnMetrics> columns =
                Map.of(6, new ColumnMetrics(1, to - from, 0, Optional.of(from), Optional.of(to - 1)));
        return new LogBlockFile(
                location,
                epochDay,
                new LogBlockSummary(
                        1, to - from, 0, new TimeRange(0, 1), List.of(4L), columns, Map.of(), Optional.empty()));
    }

    /** What a scan of the table reads: labels of its live files, in order. Fails if the metadata is broken. */
    List<String> liveLabels() {
        return liveFiles().stream()
                .map(file -> LogBlockNames.label(file.location()).orElseThrow())
                .sorted(java.util.Comparator.comparing(
                                (LogBlockNames.Label label) -> label.partition().toString())
                        .thenComparing(LogBlockNames.Label::from)
                        .thenComparing(LogBlockNames.Label::to))
                .map(label -> label.partition() + "[" + label.from() + "," + label.to() + ")")
                .toList();
    }

    List<DataFile> liveFiles() {
        List<DataFile> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks =
                table().newScan().includeColumnStats().planFiles()) {
            tasks.forEach(task -> files.add(task.file()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    List<Snapshot> snapshots() {
        List<Snapshot> snapshots = new ArrayList<>();
        table().snapshots().forEach(snapshots::add);
        return snapshots;
    }

    /** Each row of the partition below the offset is in exactly one live file, and none at or above it. */
    void assertEachRowOnce(PartitionId partition, long below) {
        List<LogBlockNames.Label> labels = liveFiles().stream()
                .map(file -> LogBlockNames.label(file.location()).orElseThrow())
                .filter(label -> label.partition().equals(partition))
                .sorted(java.util.Comparator.comparing(LogBlockNames.Label::from))
                .toList();
        long next = 0;
        for (LogBlockNames.Label label : labels) {
            assertThat(label.from()).isEqualTo(next);
            next = label.to();
        }
        assertThat(next).isEqualTo(below);
    }
}
