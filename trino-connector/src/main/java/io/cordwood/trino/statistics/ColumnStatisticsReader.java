package io.cordwood.trino.statistics;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.cordwood.catalog.commit.ManifestSketches;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.sketch.DistinctSketch;
import io.cordwood.query.plan.ManifestCache;
import io.cordwood.query.plan.ManifestCache.ListedFile;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.DoubleRange;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.type.VarcharType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Reads column statistics for the optimizer from manifests, which planning reads anyway. Summaries of manifests are
 * cached, since a manifest never changes. Thread-safe.
 */
public final class ColumnStatisticsReader {
    private static final Logger LOG = Logger.get(ColumnStatisticsReader.class);
    private static final int MAX_BYTES = 16 << 20;
    private static final int BYTES_PER_COLUMN = 150 + DistinctSketch.SIZE;

    private final QueryCatalog catalog;
    private final ManifestCache manifests;
    private final Cache<String, Map<Integer, ColumnSummary>> summaries = CacheBuilder.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((String path, Map<Integer, ColumnSummary> columns) -> BYTES_PER_COLUMN * (1 + columns.size()))
            .build();

    @Inject
    ColumnStatisticsReader(QueryCatalog catalog, ManifestCache manifests) {
        this.catalog = catalog;
        this.manifests = manifests;
    }

    /** Statistics of the columns of a table with {@code rowCount} rows, as far as its manifests have them. */
    public Map<TableColumnHandle, ColumnStatistics> read(TableVersion table, long rowCount) {
        Map<Integer, ColumnSummary> columns;
        try {
            columns = columns(table);
        } catch (RuntimeException e) {
            // An unreadable manifest must fail only a scan that needs it
            LOG.warn(e, "No statistics of %s", table.name());
            return Map.of();
        }
        Map<TableColumnHandle, ColumnStatistics> statistics = new HashMap<>();
        for (QueryColumn column : table.columns().columns().values()) {
            TableColumnHandle handle = new TableColumnHandle(column);
            if (column.source() == QueryColumn.Source.TENANT_ID) {
                statistics.put(
                        handle,
                        ColumnStatistics.builder()
                                .setNullsFraction(Estimate.zero())
                                .setDistinctValuesCount(Estimate.of(1))
                                .build());
                continue;
            }
            List<Column> sources = table.columns().sources(handle.name());
            if (rowCount > 0
                    && sources.size() == 1
                    && columns.containsKey(sources.getFirst().fieldId())) {
                statistics.put(
                        handle,
                        statistics(handle, columns.get(sources.getFirst().fieldId()), rowCount));
            }
        }
        return statistics;
    }

    private static ColumnStatistics statistics(TableColumnHandle handle, ColumnSummary column, long rowCount) {
        ColumnStatistics.Builder builder = ColumnStatistics.builder();
        // The null count includes deleted rows, the row count does not
        OptionalDouble nullsFraction = column.nulls().isPresent()
                ? OptionalDouble.of(Math.clamp(column.nulls().getAsLong() / (double) rowCount, 0.0, 1.0))
                : OptionalDouble.empty();
        nullsFraction.ifPresent(fraction -> builder.setNullsFraction(Estimate.of(fraction)));
        if (handle.type() instanceof VarcharType && column.bytes() > 0) {
            builder.setDataSize(Estimate.of((double) column.bytes()));
        }
        column.distinct().ifPresent(sketch -> {
            double values = (double) rowCount * (1 - nullsFraction.orElse(0));
            builder.setDistinctValuesCount(Estimate.of(Math.min(Math.rint(sketch.estimate()), values)));
        });
        return builder.setRange(column.range()).build();
    }

    private Map<Integer, ColumnSummary> columns(TableVersion table) {
        Optional<Snapshot> snapshot = table.snapshot();
        if (snapshot.isEmpty()) {
            return Map.of();
        }
        return merged(columns(table, snapshot.get().dataManifests(catalog.io())).stream());
    }

    /** Merges summaries; a column that one part has no summary of is unknown. */
    private static Map<Integer, ColumnSummary> merged(Stream<Map<Integer, ColumnSummary>> parts) {
        return parts.reduce((columns, more) -> {
                    Map<Integer, ColumnSummary> both = new HashMap<>(columns);
                    both.keySet().retainAll(more.keySet());
                    both.replaceAll((fieldId, summary) -> summary.and(more.get(fieldId)));
                    return both;
                })
                .orElse(Map.of());
    }

    private List<Map<Integer, ColumnSummary>> columns(TableVersion table, List<ManifestFile> all) {
        List<Map<Integer, ColumnSummary>> columns = new ArrayList<>();
        List<ManifestFile> unknown = new ArrayList<>();
        for (ManifestFile manifest : all) {
            Optional.ofNullable(summaries.getIfPresent(key(table, manifest)))
                    .ifPresentOrElse(columns::add, () -> unknown.add(manifest));
        }
        List<List<ListedFile>> files =
                manifests.files(unknown, table.metadata().orElseThrow().specsById(), catalog.io(), table.name());
        for (int i = 0; i < unknown.size(); i++) {
            Map<Integer, ColumnSummary> summary = summarize(table, files.get(i));
            summaries.put(key(table, unknown.get(i)), summary);
            columns.add(summary);
        }
        return columns;
    }

    /** The key includes the schema, because older summaries lack columns that were added later. */
    private static String key(TableVersion table, ManifestFile manifest) {
        return "%s#%d".formatted(manifest.path(), table.schema().schemaId());
    }

    private static Map<Integer, ColumnSummary> summarize(TableVersion table, List<ListedFile> files) {
        return merged(files.stream().map(file -> summarize(table, file.file())));
    }

    private static Map<Integer, ColumnSummary> summarize(TableVersion table, DataFile file) {
        Map<Integer, ColumnSummary> columns = new HashMap<>();
        Map<Integer, DistinctSketch> distinct = ManifestSketches.of(file);
        for (Types.NestedField field : table.schema().columns()) {
            if (field.type().isPrimitiveType()) {
                columns.put(field.fieldId(), summarize(field, file, distinct.get(field.fieldId())));
            }
        }
        return columns;
    }

    private static ColumnSummary summarize(Types.NestedField field, DataFile file, DistinctSketch distinct) {
        int id = field.fieldId();
        Long values = value(file.valueCounts(), id);
        Long nulls = value(file.nullValueCounts(), id);
        Long bytes = value(file.columnSizes(), id);
        if (values == null && bytes == null) {
            // The file was written before the column was added
            nulls = file.recordCount();
        }
        return new ColumnSummary(
                nulls == null ? OptionalLong.empty() : OptionalLong.of(nulls),
                bytes == null ? 0 : bytes,
                nulls == null || nulls < file.recordCount(),
                Optional.ofNullable(distinct),
                range(field.type(), value(file.lowerBounds(), id), value(file.upperBounds(), id)));
    }

    private static <V> V value(Map<Integer, V> map, int id) {
        return map == null ? null : map.get(id);
    }

    private static Optional<DoubleRange> range(Type type, ByteBuffer lower, ByteBuffer upper) {
        if (lower == null || upper == null) {
            return Optional.empty();
        }
        return switch (type.typeId()) {
            case LONG, DOUBLE -> Optional.of(new DoubleRange(number(type, lower), number(type, upper)));
            // The engine counts times in milliseconds here
            case TIMESTAMP -> Optional.of(new DoubleRange(number(type, lower) / 1000, number(type, upper) / 1000));
            default -> Optional.empty();
        };
    }

    private static double number(Type type, ByteBuffer bytes) {
        return Conversions.<Number>fromByteBuffer(type, bytes).doubleValue();
    }
}
