package io.cordwood.benchmarks.compaction;

import io.cordwood.benchmarks.report.Percentiles;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.ManifestFilters;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.compaction.merge.TableDay;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/**
 * Measures reads of a table's metadata: the metadata of all days of a year is real, with one commit per day, but the
 * data files do not exist. Stateless.
 */
final class MetadataYear {
    private static final int FIRST_DAY = 20_000;
    private static final long DAY_MICROS = 86_400_000_000L;
    private static final int LAST_DAYS = 2;
    private static final int RUNS = 5;
    private static final List<ColumnDefinition> COLUMNS = List.of(
            new ColumnDefinition("ip", ColumnType.VARCHAR, IndexKind.KEYWORD),
            new ColumnDefinition("api", ColumnType.VARCHAR, IndexKind.KEYWORD),
            new ColumnDefinition("latency", ColumnType.BIGINT, IndexKind.NONE),
            new ColumnDefinition("log", ColumnType.VARCHAR, IndexKind.TEXT));

    private MetadataYear() {}

    /**
     * Creates the table and measures.
     *
     * @param filterBytes size of each data file's token filter in bytes; 0 for none
     */
    static void measure(
            Report report, CatalogClient client, String tenant, int days, int filesPerDay, long bytes, int filterBytes)
            throws Exception {
        client.ensureTable(tenant, TenantLogBlocks.STREAM, COLUMNS);
        Table table = load(client, tenant);
        Random random = new Random(42);
        for (int day = FIRST_DAY; day < FIRST_DAY + days; day++) {
            AppendFiles append = table.newAppend();
            for (int file = 0; file < filesPerDay; file++) {
                append.appendFile(dataFile(table, day, file, filesPerDay, bytes, filterBytes, random));
            }
            append.commit();
        }
        String name = "metadata/" + tenant;
        List<ManifestFile> manifests = table.currentSnapshot().allManifests(table.io());
        report.add(name, "data_files", (double) days * filesPerDay, "files");
        report.add(
                name,
                "metadata_bytes",
                (double) Files.size(LocalFileIO.path(
                        ((BaseTable) table).operations().current().metadataFileLocation())),
                "bytes");
        report.add(name, "manifests", manifests.size(), "files");
        report.add(
                name,
                "manifest_bytes",
                (double) manifests.stream().mapToLong(ManifestFile::length).sum(),
                "bytes");
        report.add(
                name,
                "manifest_list_bytes",
                (double) Files.size(LocalFileIO.path(table.currentSnapshot().manifestListLocation())),
                "bytes");
        report.add(name, "load_table_ms", millis(() -> load(client, tenant).uuid()), "ms");
        report.add(name, "table_day_all_ms", millis(() -> found(TableDay.all(load(client, tenant)), days)), "ms");
        int since = FIRST_DAY + days - LAST_DAYS;
        report.add(
                name,
                "table_day_since_ms",
                millis(() -> found(TableDay.since(load(client, tenant), since), LAST_DAYS)),
                "ms");
    }

    private static Table load(CatalogClient client, String tenant) {
        return client.catalog().loadTable(TenantNames.table(tenant, TenantLogBlocks.STREAM));
    }

    private static int found(List<TableDay> days, int expected) throws IOException {
        if (days.size() != expected) {
            throw new IOException("%d days were read, expected %d".formatted(days.size(), expected));
        }
        return days.size();
    }

    /** The median, with the table reloaded each time, because the job has no cache either. */
    private static double millis(Callable<?> work) throws Exception {
        double[] millis = new double[RUNS];
        for (int run = 0; run < RUNS; run++) {
            long begun = System.nanoTime();
            work.call();
            millis[run] = (System.nanoTime() - begun) / 1e6;
        }
        return Percentiles.of(millis).median();
    }

    private static DataFile dataFile(
            Table table, int day, int file, int filesPerDay, long bytes, int filterBytes, Random random) {
        PartitionSpec spec = table.specs().values().stream()
                .filter(TableSchemas::isDaySpec)
                .findFirst()
                .orElseThrow();
        PartitionData partition = new PartitionData(spec.partitionType());
        partition.set(0, day);
        long rows = bytes / 50;
        Map<Integer, Long> sizes = new HashMap<>();
        Map<Integer, Long> counts = new HashMap<>();
        Map<Integer, Long> nulls = new HashMap<>();
        Map<Integer, ByteBuffer> lower = new HashMap<>();
        Map<Integer, ByteBuffer> upper = new HashMap<>();
        for (Types.NestedField field : table.schema().columns()) {
            if (field.type().isPrimitiveType()) {
                sizes.put(field.fieldId(), bytes / 10 + random.nextInt(1000));
                counts.put(field.fieldId(), rows);
                nulls.put(field.fieldId(), (long) random.nextInt(1000));
                boolean isText = field.type().typeId() == org.apache.iceberg.types.Type.TypeID.STRING;
                long start = day * DAY_MICROS + DAY_MICROS / filesPerDay * file;
                if (isText) {
                    lower.put(field.fieldId(), text("0" + random.nextInt(1_000_000_000)));
                    upper.put(field.fieldId(), text("z" + random.nextInt(1_000_000_000)));
                } else {
                    lower.put(field.fieldId(), number(start));
                    upper.put(field.fieldId(), number(start + DAY_MICROS / filesPerDay - 1));
                }
            }
        }
        if (filterBytes > 0) {
            byte[] filter = new byte[filterBytes];
            random.nextBytes(filter);
            lower.put(ManifestFilters.FIELD_ID, ByteBuffer.wrap(filter));
        }
        return DataFiles.builder(spec)
                .withPath(LogBlockNames.newMergedLocation(table.location(), day, false))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(bytes)
                .withPartition(partition)
                .withMetrics(new Metrics(rows, sizes, counts, nulls, Map.of(), lower, upper))
                .build();
    }

    private static ByteBuffer text(String value) {
        return Conversions.toByteBuffer(Types.StringType.get(), value);
    }

    private static ByteBuffer number(long value) {
        return Conversions.toByteBuffer(Types.LongType.get(), value);
    }
}
