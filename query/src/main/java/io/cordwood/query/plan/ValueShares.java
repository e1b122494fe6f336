package io.cordwood.query.plan;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.plan.ManifestCache.ListedFile;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableColumns;
import io.cordwood.query.table.TableVersion;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;

/**
 * The shares of rows in LogBlocks that have a value, by column. They come from the counts in manifests, which planning
 * reads anyway: deleted rows count until compaction removes them. Thread-safe.
 */
public final class ValueShares {
    private final QueryCatalog catalog;
    private final ManifestCache manifests;

    public ValueShares(QueryCatalog catalog, ManifestCache manifests) {
        this.catalog = catalog;
        this.manifests = manifests;
    }

    /**
     * The shares, from 0 to 1, by name of the column. Columns of which they are not known are missing: maps, and all
     * columns of a table without LogBlocks.
     *
     * @throws QueryException INVALID_METADATA if a manifest cannot be read
     */
    public Map<String, Double> of(TableVersion table) {
        Optional<Snapshot> snapshot = table.snapshot();
        if (snapshot.isEmpty()) {
            return Map.of();
        }
        List<DataFile> files = manifests
                .files(
                        LogBlockPlanner.dataManifests(table, snapshot.get(), catalog.io()),
                        table.metadata().orElseThrow().specsById(),
                        catalog.io(),
                        table.name())
                .stream()
                .flatMap(List::stream)
                .map(ListedFile::file)
                .toList();
        return of(table.columns(), files);
    }

    static Map<String, Double> of(TableColumns columns, Collection<DataFile> files) {
        long rows = files.stream().mapToLong(DataFile::recordCount).sum();
        Map<String, Double> shares = new HashMap<>();
        for (QueryColumn column : columns.columns().values()) {
            if (rows == 0 || column.type() == ColumnType.MAP || column.isHidden()) {
                continue;
            }
            if (column.source() == QueryColumn.Source.TENANT_ID) {
                shares.put(column.name(), 1.0);
            } else {
                values(columns.sources(column.name()), files)
                        .ifPresent(values -> shares.put(column.name(), Math.min(1, values / (double) rows)));
            }
        }
        return shares;
    }

    /** Number of values of a column, which may be stored as two columns; empty if a file does not tell it. */
    private static Optional<Long> values(List<Column> sources, Collection<DataFile> files) {
        long total = 0;
        for (DataFile file : files) {
            for (Column source : sources) {
                Optional<Long> values = values(file, source.fieldId());
                if (values.isEmpty()) {
                    return Optional.empty();
                }
                total += values.get();
            }
        }
        return Optional.of(total);
    }

    private static Optional<Long> values(DataFile file, int fieldId) {
        Optional<Long> count = value(file.valueCounts(), fieldId);
        if (count.isEmpty() && value(file.columnSizes(), fieldId).isEmpty()) {
            // The file was written before the column was added
            return Optional.of(0L);
        }
        return count.flatMap(all -> value(file.nullValueCounts(), fieldId).map(nulls -> all - nulls));
    }

    private static Optional<Long> value(Map<Integer, Long> counts, int fieldId) {
        return Optional.ofNullable(counts).map(known -> known.get(fieldId));
    }
}
