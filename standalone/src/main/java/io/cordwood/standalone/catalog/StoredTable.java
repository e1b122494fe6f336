package io.cordwood.standalone.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;

/** Stored data of one table of a tenant. Immutable. */
public record StoredTable(String stream, long rows, long files, long bytes) {
    /** The tables of a tenant that have data. */
    public static List<StoredTable> of(Catalog catalog, String schema) {
        List<StoredTable> tables = new ArrayList<>();
        for (TableIdentifier table : tables(catalog, schema)) {
            Optional<Snapshot> snapshot = snapshot(catalog, table);
            if (snapshot.isPresent()) {
                Map<String, String> summary = snapshot.get().summary();
                tables.add(new StoredTable(
                        table.name(),
                        total(summary, SnapshotSummary.TOTAL_RECORDS_PROP),
                        total(summary, SnapshotSummary.TOTAL_DATA_FILES_PROP),
                        total(summary, SnapshotSummary.TOTAL_FILE_SIZE_PROP)));
            }
        }
        return tables;
    }

    /** The table's snapshot; empty if the table has none, or was dropped since it was listed. */
    private static Optional<Snapshot> snapshot(Catalog catalog, TableIdentifier table) {
        try {
            return Optional.ofNullable(catalog.loadTable(table).currentSnapshot());
        } catch (NoSuchTableException e) {
            return Optional.empty();
        }
    }

    /** The streams in which a tenant has a table. */
    public static List<String> streams(Catalog catalog, String schema) {
        return tables(catalog, schema).stream().map(TableIdentifier::name).toList();
    }

    private static List<TableIdentifier> tables(Catalog catalog, String schema) {
        try {
            return catalog.listTables(Namespace.of(schema));
        } catch (NoSuchNamespaceException e) {
            return List.of();
        }
    }

    private static long total(Map<String, String> summary, String property) {
        return Long.parseLong(summary.getOrDefault(property, "0"));
    }
}
