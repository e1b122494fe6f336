package io.cordwood.catalog.commit;

import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.ColumnMetrics;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.UnicodeUtil;

/** Manifest entries of LogBlocks. Stateless, thread-safe. */
final class LogBlockDataFiles {
    /** Bounds of text have at most as many code points, as with Iceberg's own writers by default. */
    private static final int BOUND_CODE_POINTS = 16;

    private LogBlockDataFiles() {}

    /** The table's partition spec by day; empty if it has none. */
    static Optional<PartitionSpec> daySpec(TableMetadata table) {
        return table.specs().stream().filter(TableSchemas::isDaySpec).findFirst();
    }

    static DataFile dataFile(LogBlockFile file, Schema schema, PartitionSpec daySpec) {
        PartitionData day = new PartitionData(daySpec.partitionType());
        day.set(0, file.epochDay());
        return DataFiles.builder(daySpec)
                .withPath(file.location())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(file.summary().sizeInBytes())
                .withSplitOffsets(file.summary().splitOffsets())
                .withPartition(day)
                .withMetrics(metrics(file, schema))
                .build();
    }

    private static Metrics metrics(LogBlockFile file, Schema schema) {
        Map<Integer, Long> sizes = new HashMap<>();
        Map<Integer, Long> valueCounts = new HashMap<>();
        Map<Integer, Long> nullCounts = new HashMap<>();
        Map<Integer, ByteBuffer> lower = new HashMap<>();
        Map<Integer, ByteBuffer> upper = new HashMap<>();
        file.summary().columns().forEach((fieldId, column) -> {
            Type type = schema.findType(fieldId);
            if (type != null && type.isPrimitiveType()) {
                sizes.put(fieldId, column.sizeInBytes());
                valueCounts.put(fieldId, column.valueCount());
                nullCounts.put(fieldId, column.nullCount());
                if (hasBounds(column)) {
                    lowerBound(column).ifPresent(bound -> lower.put(fieldId, Conversions.toByteBuffer(type, bound)));
                    upperBound(column).ifPresent(bound -> upper.put(fieldId, Conversions.toByteBuffer(type, bound)));
                }
            }
        });
        file.summary().tokenFilter().ifPresent(filter -> ManifestFilters.put(filter, lower));
        ManifestSketches.put(file.summary().distinct(), lower);
        return new Metrics(file.summary().rowCount(), sizes, valueCounts, nullCounts, Map.of(), lower, upper);
    }

    /** Iceberg allows no NaN as a bound, and bounds of the other numbers alone would not cover the NaNs. */
    private static boolean hasBounds(ColumnMetrics column) {
        return column.lower().filter(LogBlockDataFiles::isNaN).isEmpty()
                && column.upper().filter(LogBlockDataFiles::isNaN).isEmpty();
    }

    private static boolean isNaN(Object bound) {
        return bound instanceof Double number && number.isNaN();
    }

    private static Optional<Object> lowerBound(ColumnMetrics column) {
        return column.lower().map(bound -> switch (bound) {
            case String text -> UnicodeUtil.truncateStringMin(text, BOUND_CODE_POINTS);
            // Zeros of both signs are equal in SQL but ordered in Iceberg.
            case Double number when number == 0.0 -> -0.0;
            default -> bound;
        });
    }

    private static Optional<Object> upperBound(ColumnMetrics column) {
        return column.upper().flatMap(bound -> switch (bound) {
            // Null if no text of this length is larger.
            case String text -> Optional.ofNullable(UnicodeUtil.truncateStringMax(text, BOUND_CODE_POINTS));
            case Double number when number == 0.0 -> Optional.of(0.0);
            default -> Optional.of(bound);
        });
    }
}
