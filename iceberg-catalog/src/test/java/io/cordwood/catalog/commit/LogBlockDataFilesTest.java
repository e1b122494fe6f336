package io.cordwood.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class LogBlockDataFilesTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(2, "ts", Types.TimestampType.withZone()),
            Types.NestedField.optional(
                    3, "attributes", Types.MapType.ofOptional(8, 9, Types.StringType.get(), Types.StringType.get())),
            Types.NestedField.optional(10, "message", Types.StringType.get()),
            Types.NestedField.optional(11, "took", Types.DoubleType.get()),
            Types.NestedField.optional(12, "ok", Types.BooleanType.get()));
    private static final PartitionSpec SPEC = TableSchemas.daySpec(SCHEMA);
    private static final int DAY = (int) LocalDate.of(2026, 2, 3).toEpochDay();

    @Test
    void saysWhatTheFileHolds() {
        DataFile file = dataFile(Map.of(2, new ColumnMetrics(30, 4, 0, Optional.of(17L), Optional.of(19L))));
        assertThat(file.location()).isEqualTo("file:///w/f.parquet");
        assertThat(file.format()).isEqualTo(FileFormat.PARQUET);
        assertThat(file.fileSizeInBytes()).isEqualTo(1234);
        assertThat(file.recordCount()).isEqualTo(4);
        assertThat(file.splitOffsets()).containsExactly(4L, 600L);
        assertThat(SPEC.partitionToPath(file.partition())).isEqualTo("ts_day=2026-02-03");
        assertThat(file.columnSizes()).containsExactly(Map.entry(2, 30L));
        assertThat(file.valueCounts()).containsExactly(Map.entry(2, 4L));
        assertThat(file.nullValueCounts()).containsExactly(Map.entry(2, 0L));
        assertThat(lower(file, 2)).isEqualTo(17L);
        assertThat(upper(file, 2)).isEqualTo(19L);
    }

    @Test
    void boundsOfTextAreCutAndTheUpperOneRoundedUp() {
        DataFile file = dataFile(Map.of(10, text("aaaaaaaaaaaaaaaaXYZ", "zzzzzzzzzzzzzzzzXYZ")));
        assertThat(lower(file, 10).toString()).isEqualTo("aaaaaaaaaaaaaaaa");
        assertThat(upper(file, 10).toString()).isEqualTo("zzzzzzzzzzzzzzz{");
        String astral = "\ud83d\ude00".repeat(16);
        DataFile codePoints = dataFile(Map.of(10, text(astral, astral)));
        assertThat(lower(codePoints, 10).toString()).isEqualTo(astral);
        assertThat(upper(codePoints, 10).toString()).isEqualTo(astral);
    }

    @Test
    void noUpperBoundIfNoTextOfTheLengthIsLarger() {
        DataFile file = dataFile(Map.of(10, text("a", "\udbff\udfff".repeat(17))));
        assertThat(file.upperBounds()).isEmpty();
        assertThat(lower(file, 10).toString()).isEqualTo("a");
    }

    @Test
    void aColumnWithNaNHasNoBounds() {
        for (ColumnMetrics metrics : List.of(number(Double.NaN, 2.0), number(1.0, Double.NaN))) {
            DataFile file = dataFile(Map.of(11, metrics));
            assertThat(file.lowerBounds()).isEmpty();
            assertThat(file.upperBounds()).isEmpty();
            assertThat(file.valueCounts()).containsEntry(11, 4L);
        }
    }

    @Test
    void zerosOfBothSignsAreWithinTheBounds() {
        DataFile file = dataFile(Map.of(11, number(0.0, -0.0)));
        assertThat(lower(file, 11)).isEqualTo(-0.0);
        assertThat(upper(file, 11)).isEqualTo(0.0);
    }

    @Test
    void onlyPrimitiveColumnsOfTheTableHaveMetrics() {
        ColumnMetrics metrics = new ColumnMetrics(1, 2, 1, Optional.empty(), Optional.empty());
        DataFile file = dataFile(Map.of(3, metrics, 8, metrics, 99, metrics, 12, number(true, true)));
        assertThat(file.valueCounts()).containsOnlyKeys(8, 12);
        assertThat(lower(file, 12)).isEqualTo(true);
    }

    @Test
    void aTokenFilterStandsAmongTheBounds() throws IOException {
        LogBlockSchema schema = new LogBlockSchema(
                List.of(Column.of("ts", 2, ColumnType.TIMESTAMP).asRequired(), Column.text("message", 10)));
        LogBlockSummary summary;
        try (LogBlockWriter writer =
                new LogBlockWriter(OutputStream.nullOutputStream(), schema, LogBlockOptions.DEFAULTS)) {
            writer.append(List.of(new LongVector(new long[] {17}), StringVector.of("disk full")), 1);
            summary = writer.finish();
        }
        DataFile file = LogBlockDataFiles.dataFile(new LogBlockFile("file:///w/f.parquet", DAY, summary), SCHEMA, SPEC);
        assertThat(ManifestFilters.isIn(file)).isTrue();
        assertThat(ManifestFilters.of(file)).isEqualTo(summary.tokenFilter()).isPresent();
        assertThat(file.upperBounds()).containsOnlyKeys(2);
        assertThat(ManifestSketches.of(file)).isEmpty();

        DataFile without = dataFile(Map.of());
        assertThat(ManifestFilters.isIn(without)).isFalse();
        assertThat(ManifestFilters.of(without)).isEmpty();
    }

    @Test
    void sketchesAreFoundAgain() throws IOException {
        LogBlockSchema schema = new LogBlockSchema(List.of(
                Column.of("ts", 2, ColumnType.TIMESTAMP).asRequired(), Column.of("status", 99, ColumnType.BIGINT)));
        LogBlockSummary summary;
        try (LogBlockWriter writer =
                new LogBlockWriter(OutputStream.nullOutputStream(), schema, LogBlockOptions.DEFAULTS)) {
            writer.append(List.of(new LongVector(new long[] {17, 18}), new LongVector(new long[] {200, 404})), 2);
            summary = writer.finish();
        }
        DataFile file = LogBlockDataFiles.dataFile(new LogBlockFile("file:///w/f.parquet", DAY, summary), SCHEMA, SPEC);
        assertThat(ManifestSketches.of(file)).isEqualTo(summary.distinct()).containsOnlyKeys(99);
        assertThat(ManifestSketches.of(file).get(99).estimate()).isBetween(1.5, 2.5);
    }

    private static DataFile dataFile(Map<Integer, ColumnMetrics> columns) {
        LogBlockSummary summary = new LogBlockSummary(
                1234, 4, 56, new TimeRange(17, 19), List.of(4L, 600L), columns, Map.of(), Optional.empty());
        return LogBlockDataFiles.dataFile(new LogBlockFile("file:///w/f.parquet", DAY, summary), SCHEMA, SPEC);
    }

    private static ColumnMetrics text(String lower, String upper) {
        return new ColumnMetrics(30, 4, 0, Optional.of(lower), Optional.of(upper));
    }

    private static ColumnMetrics number(Object lower, Object upper) {
        return new ColumnMetrics(30, 4, 0, Optional.of(lower), Optional.of(upper));
    }

    private static Object lower(DataFile file, int fieldId) {
        return Conversions.fromByteBuffer(
                SCHEMA.findType(fieldId), file.lowerBounds().get(fieldId));
    }

    private static Object upper(DataFile file, int fieldId) {
        return Conversions.fromByteBuffer(
                SCHEMA.findType(fieldId), file.upperBounds().get(fieldId));
    }
}
