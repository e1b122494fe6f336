package io.cordwood.query.plan;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.query.error.QueryException;
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
import org.apache.iceberg.ManifestFile;

/**
 * The shares of rows in LogBlocks that have a value, by column. They come from the counts in manifests: deleted rows
 * count until compaction removes them. Thread-safe.
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
     * columns of a table without LogBlocks. Reads one manifest after the other.
     *
     * @param check called between two manifests; what it throws ends the reading
     * @throws QueryException INVALID_METADATA if a manifest cannot be read
     */
    public Map<String, Double> of(TableVersion table, Runnable check) {
        Sums sums = new Sums(table.columns());
        if (table.snapshot().isPresent()) {
            for (ManifestFile manifest :
                    LogBlockPlanner.dataManifests(table, table.snapshot().get(), catalog.io())) {
                check.run();
                manifests
                        .files(
                                List.of(manifest),
                                table.metadata().orElseThrow().specsById(),
                                catalog.io(),
                                table.name())
                        .getFirst()
                        .forEach(file -> sums.add(file.file()));
            }
        }
        return sums.shares();
    }

    static Map<String, Double> of(TableColumns columns, Collection<DataFile> files) {
        Sums sums = new Sums(columns);
        files.forEach(sums::add);
        return sums.shares();
    }

    /** Numbers of rows and of values. Not thread-safe. */
    private static final class Sums {
        private final TableColumns columns;
        /** Numbers of values by name of the column; not of columns of which a file does not tell it. */
        private final Map<String, Long> values = new HashMap<>();

        private long rows;

        Sums(TableColumns columns) {
            this.columns = columns;
            for (QueryColumn column : columns.columns().values()) {
                if (column.type() != ColumnType.MAP && !column.isHidden()) {
                    values.put(column.name(), 0L);
                }
            }
        }

        void add(DataFile file) {
            rows += file.recordCount();
            for (String name : List.copyOf(values.keySet())) {
                Optional<Long> more = values(file, columns.columns().get(name));
                if (more.isPresent()) {
                    values.merge(name, more.get(), Long::sum);
                } else {
                    values.remove(name);
                }
            }
        }

        /** Number of values of a column, which may be stored as two columns; empty if the file does not tell it. */
        private Optional<Long> values(DataFile file, QueryColumn column) {
            if (column.source() == QueryColumn.Source.TENANT_ID) {
                return Optional.of(file.recordCount());
            }
            long total = 0;
            for (Column source : columns.sources(column.name())) {
                Optional<Long> ofSource = ValueShares.values(file, source.fieldId());
                if (ofSource.isEmpty()) {
                    return Optional.empty();
                }
                total += ofSource.get();
            }
            return Optional.of(total);
        }

        Map<String, Double> shares() {
            Map<String, Double> shares = new HashMap<>();
            if (rows > 0) {
                values.forEach((name, count) -> shares.put(name, Math.min(1, count / (double) rows)));
            }
            return shares;
        }
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
