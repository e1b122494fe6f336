package io.cordwood.catalog.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.TableMetadataLimits;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.write.LogBlockSummary;
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
public final class CatalogFixture {
    public static final String TENANT = "Acme";
    public static final String STREAM = "logs";
    public static final PartitionId PARTITION = new PartitionId("topic-A", 3);
    public static final TableIdentifier IDENTIFIER = TenantNames.table(TENANT, STREAM);

    static final long HOUR = 480_000;
    static final long RAW_BYTES_PER_ROW = 10;

    private static final int DAY = 20_000;

    private final Catalog catalog;

    public CatalogFixture(Catalog catalog) {
        this.catalog = catalog;
    }

    public Table createTable() {
        SupportsNamespaces namespaces = (SupportsNamespaces) catalog;
        if (!namespaces.namespaceExists(IDENTIFIER.namespace())) {
            namespaces.createNamespace(IDENTIFIER.namespace());
        }
        return catalog.buildTable(IDENTIFIER, TableSchemas.baseSchema())
                .withPartitionSpec(TableSchemas.daySpec(TableSchemas.baseSchema()))
                .withProperties(TableMetadataLimits.properties())
                .create();
    }

    public Table table() {
        return catalog.loadTable(IDENTIFIER);
    }

    public TableOffsets offsets() {
        return TableOffsets.fromProperties(table().properties());
    }

    public long offset() {
        return offsets().offset(PARTITION);
    }

    /** A flush of the partition with one LogBlock, which has one row for each offset. */
    public Flush flush(long from, long to) {
        return flush(PARTITION, from, to);
    }

    public Flush flush(PartitionId partition, long from, long to) {
        Table table = table();
        LogBlockFile file = logBlock(table.io(), table.location(), partition, from, to, DAY);
        return flush(partition, from, to, List.of(file));
    }

    public Flush flush(PartitionId partition, long from, long to, List<LogBlockFile> files) {
        return new Flush(
                partition.topicId(),
                partition.partition(),
                from,
                to,
                table().uuid().toString(),
                files,
                appendRuns(from, files));
    }

    /** All rows of the files came in within one hour, with ten bytes each. */
    public static List<AppendRun> appendRuns(long from, List<LogBlockFile> files) {
        long rows = AppendRun.rows(files);
        return rows == 0 ? List.of() : List.of(new AppendRun(from, HOUR, rows, rows * RAW_BYTES_PER_ROW));
    }

    /** Rewrites by writing a new LogBlock under the new label. */
    public List<LogBlockFile> rewrite(Flush flush, long firstOffset) {
        Table table = table();
        return List.of(logBlock(table.io(), table.location(), flush.partitionId(), firstOffset, flush.to(), DAY));
    }

    public LogBlockFile logBlock(PartitionId partition, long from, long to, int epochDay) {
        Table table = table();
        return logBlock(table.io(), table.location(), partition, from, to, epochDay);
    }

    public static LogBlockFile logBlock(
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
    public List<String> liveLabels() {
        return liveFiles().stream()
                .map(file -> LogBlockNames.label(file.location()).orElseThrow())
                .sorted(java.util.Comparator.comparing(
                                (LogBlockNames.Label label) -> label.partition().toString())
                        .thenComparing(LogBlockNames.Label::from)
                        .thenComparing(LogBlockNames.Label::to))
                .map(label -> label.partition() + "[" + label.from() + "," + label.to() + ")")
                .toList();
    }

    public List<DataFile> liveFiles() {
        List<DataFile> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks =
                table().newScan().includeColumnStats().planFiles()) {
            tasks.forEach(task -> files.add(task.file()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    public List<Snapshot> snapshots() {
        List<Snapshot> snapshots = new ArrayList<>();
        table().snapshots().forEach(snapshots::add);
        return snapshots;
    }

    /** Each row of the partition below the offset is in exactly one live file, and none at or above it. */
    public void assertEachRowOnce(PartitionId partition, long below) {
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
