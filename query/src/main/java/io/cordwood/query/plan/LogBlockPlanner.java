package io.cordwood.query.plan;

import io.cordwood.catalog.delete.RowDeleteFile;
import io.cordwood.catalog.delete.TableDeletes;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.PruningExpressions;
import io.cordwood.query.binding.StoredPredicates;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.plan.ManifestCache.ListedFile;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.TableVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.InclusiveMetricsEvaluator;
import org.apache.iceberg.expressions.ManifestEvaluator;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/** Finds the LogBlocks of a table that may hold rows of a scan; it reads manifests only. Thread-safe. */
public final class LogBlockPlanner {
    private final QueryCatalog catalog;
    private final ManifestCache manifests;
    private final TableDeletesCache deletes;

    public LogBlockPlanner(QueryCatalog catalog, ManifestCache manifests, TableDeletesCache deletes) {
        this.catalog = catalog;
        this.manifests = manifests;
        this.deletes = deletes;
    }

    /** Plans the scan of one table. */
    List<ScannedLogBlock> plan(
            TableVersion table, ScanFilter filter, TableBinding binding, boolean useTokenFilters, PlanMetrics metrics) {
        Optional<Snapshot> snapshot = table.snapshot();
        if (snapshot.isEmpty()) {
            return List.of();
        }
        Expression time = filter.useStatistics() ? PruningExpressions.of(filter.time()) : Expressions.alwaysTrue();
        Expression rows =
                filter.useStatistics() ? PruningExpressions.of(filter.conjuncts(), binding) : Expressions.alwaysTrue();
        if (rows.equals(Expressions.alwaysFalse())) {
            // The table lacks a requested column, so its manifests need not be read
            metrics.tablesPrunedByColumns.increment();
            return List.of();
        }
        TableMetadata metadata = table.metadata().orElseThrow();
        FileIO io = catalog.io();
        List<ManifestFile> dataManifests = dataManifests(table, snapshot.get(), io);
        TableDeletes tableDeletes = deletes.deletes(table, snapshot.get());

        InclusiveMetricsEvaluator timeEvaluator = new InclusiveMetricsEvaluator(table.schema(), time);
        InclusiveMetricsEvaluator rowEvaluator = new InclusiveMetricsEvaluator(table.schema(), rows);
        Map<Integer, ManifestEvaluator> byManifest = new HashMap<>();

        List<ManifestFile> matching = new ArrayList<>();
        for (ManifestFile manifest : dataManifests) {
            PartitionSpec spec = metadata.spec(manifest.partitionSpecId());
            ManifestEvaluator evaluator = byManifest.computeIfAbsent(
                    manifest.partitionSpecId(), id -> ManifestEvaluator.forRowFilter(time, spec, true));
            int files = liveFiles(manifest);
            if (files >= 0 && !evaluator.eval(manifest)) {
                metrics.considered.add(files);
                metrics.prunedByTime.add(files);
            } else {
                matching.add(manifest);
            }
        }
        Predicate terms = useTokenFilters ? StoredPredicates.of(filter.conjuncts(), binding) : Predicate.TRUE;
        List<ScannedLogBlock> splits = new ArrayList<>();
        for (List<ListedFile> files : manifests.files(matching, metadata.specsById(), io, table.name())) {
            for (ListedFile listed : files) {
                DataFile file = listed.file();
                metrics.considered.increment();
                if (!filter.admitsPath(file.location())) {
                    metrics.prunedByPath.increment();
                } else if (hasExpired(file, table) || !timeEvaluator.eval(file)) {
                    metrics.prunedByTime.increment();
                } else if (!rowEvaluator.eval(file)) {
                    metrics.prunedByStatistics.increment();
                } else if (!mayMatch(listed, terms, metrics)) {
                    metrics.prunedByTokenFilters.increment();
                } else {
                    splits.add(split(table, file, tableDeletes.of(file), binding));
                }
            }
        }
        return splits;
    }

    /** Whether all rows of a LogBlock have expired, although retention has not dropped the LogBlock yet. */
    private static boolean hasExpired(DataFile file, TableVersion table) {
        return table.columns()
                .schema()
                .column(LogBlockSchema.TS)
                .map(ts -> bound(file.upperBounds(), ts.fieldId(), Long.MAX_VALUE) < table.expiredBeforeMicros())
                .orElse(false);
    }

    private static boolean mayMatch(ListedFile listed, Predicate terms, PlanMetrics metrics) {
        if (terms.equals(Predicate.TRUE)) {
            return true;
        }
        if (listed.isFilterUnusable()) {
            metrics.tokenFiltersUnusable.increment();
        }
        return listed.filter().map(filter -> filter.mayMatch(terms)).orElse(true);
    }

    static List<ManifestFile> dataManifests(TableVersion table, Snapshot snapshot, FileIO io) {
        try {
            return snapshot.dataManifests(io);
        } catch (RuntimeException e) {
            throw ReadFailures.of(
                    QueryError.INVALID_METADATA,
                    "Cannot read the manifest list %s of %s".formatted(snapshot.manifestListLocation(), table.name()),
                    e);
        }
    }

    private static int liveFiles(ManifestFile manifest) {
        return manifest.addedFilesCount() == null || manifest.existingFilesCount() == null
                ? -1
                : manifest.addedFilesCount() + manifest.existingFilesCount();
    }

    private static ScannedLogBlock split(
            TableVersion table, DataFile file, List<RowDeleteFile> deletes, TableBinding binding) {
        if (file.format() != FileFormat.PARQUET) {
            throw new QueryException(
                    QueryError.UNSUPPORTED_TABLE,
                    "The %s has a data file of format %s, but only Parquet can be read: %s"
                            .formatted(table.name(), file.format(), file.location()));
        }
        int tsId = table.columns()
                .schema()
                .column(LogBlockSchema.TS)
                .map(Column::fieldId)
                .orElseThrow(() -> new QueryException(
                        QueryError.UNSUPPORTED_TABLE, "The %s has no column 'ts'".formatted(table.name())));
        return new ScannedLogBlock(
                file.location(),
                file.fileSizeInBytes(),
                file.recordCount(),
                bound(file.lowerBounds(), tsId, Long.MIN_VALUE),
                bound(file.upperBounds(), tsId, Long.MAX_VALUE),
                deletes,
                TimeRange.ALL,
                binding);
    }

    private static long bound(Map<Integer, ByteBuffer> bounds, int fieldId, long absent) {
        ByteBuffer value = bounds == null ? null : bounds.get(fieldId);
        return value == null ? absent : Conversions.<Long>fromByteBuffer(Types.TimestampType.withZone(), value);
    }
}
