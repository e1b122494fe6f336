package io.cordwood.ingest.testing;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.tenant.TenantNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;

/** Reads tables of a catalog service. */
public final class TableRows {
    private TableRows() {}

    /** The values of a column that has no nulls, sorted. */
    public static long[] longs(CatalogClient catalog, LoadedTable table, String column) throws IOException {
        List<long[]> parts = new ArrayList<>();
        TableIdentifier identifier = TenantNames.table(table.tenantId(), table.stream());
        try (CloseableIterable<FileScanTask> files =
                catalog.catalog().loadTable(identifier).newScan().planFiles()) {
            for (FileScanTask task : files) {
                parts.add(Rows.longs(
                        new InputFileReader(
                                catalog.io().newInputFile(task.file().location())),
                        table.schema(),
                        column));
            }
        }
        return parts.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    }
}
