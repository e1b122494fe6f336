package io.cordwood.benchmarks.table;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.ManifestFilters;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.compaction.merge.TableDay;
import io.cordwood.compaction.plan.MergeSettings;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/**
 * All tables of a stream as of their current snapshots. Immutable.
 *
 * @param tables tables by tenant, with time bounds and token filters from the manifests
 * @param files number of data files
 * @param bytes total length of the data files
 * @param ideal the minimum number of LogBlocks of the target size, summed over all days
 */
public record StreamTables(Map<String, TenantTable> tables, long files, long bytes, long ideal) {
    /** Reads the tables of all tenants. */
    public static StreamTables of(CatalogClient client, String stream, MergeSettings settings) throws IOException {
        Map<String, TenantTable> tables = new TreeMap<>();
        long files = 0;
        long bytes = 0;
        long ideal = 0;
        for (String tenant : client.tenants().stream().map(known -> known.id()).toList()) {
            Table table = client.catalog().loadTable(TenantNames.table(tenant, stream));
            tables.put(tenant, table(table));
            for (TableDay day : TableDay.all(table)) {
                long dayBytes = day.logBlocks().stream()
                        .mapToLong(task -> task.file().fileSizeInBytes())
                        .sum();
                files += day.logBlocks().size();
                bytes += dayBytes;
                ideal += settings.ideal(dayBytes);
            }
        }
        return new StreamTables(tables, files, bytes, ideal);
    }

    /** One table as of its current snapshot. */
    public static TenantTable table(Table table) throws IOException {
        LogBlockSchema schema = TableSchemas.logBlockSchema(table.schema(), table.properties());
        int time = table.schema().findField(LogBlockSchema.TS).fieldId();
        List<TenantTable.Stored> blocks = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().includeColumnStats().planFiles()) {
            for (FileScanTask task : tasks) {
                DataFile file = task.file();
                blocks.add(new TenantTable.Stored(
                        LocalFileIO.path(file.location()),
                        new TimeRange(
                                micros(file.lowerBounds().get(time)),
                                micros(file.upperBounds().get(time))),
                        ManifestFilters.of(file)));
            }
        }
        return new TenantTable(schema, blocks);
    }

    private static long micros(ByteBuffer bound) {
        return Conversions.<Long>fromByteBuffer(Types.TimestampType.withZone(), bound);
    }
}
