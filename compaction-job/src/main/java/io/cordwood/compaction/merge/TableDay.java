package io.cordwood.compaction.merge;

import static io.cordwood.logblock.schema.LogBlockSchema.TS;

import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.compaction.plan.LogBlockEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/**
 * The data files of one day of a table in one snapshot, each with the delete files that apply to it. Immutable.
 *
 * @param epochDay the day, since 1970-01-01
 * @param logBlocks its LogBlocks
 * @param others files that are not merged: files of other writers, whose rows may be in any order, and files with
 *     equality deletes
 */
public record TableDay(int epochDay, List<FileScanTask> logBlocks, List<FileScanTask> others) {
    public TableDay {
        logBlocks = List.copyOf(logBlocks);
        others = List.copyOf(others);
    }

    /** All days of the table's current snapshot that have LogBlocks, in order. */
    public static List<TableDay> all(Table table) {
        return read(table.newScan());
    }

    /** The days of the table's current snapshot from {@code epochDay} on. */
    public static List<TableDay> since(Table table, int epochDay) {
        return read(table.newScan().filter(Expressions.greaterThanOrEqual(Expressions.day(TS), epochDay)));
    }

    /** One day of the table's current snapshot; without LogBlocks if the snapshot has none of that day. */
    public static TableDay of(Table table, int epochDay) {
        return read(table.newScan().filter(Expressions.equal(Expressions.day(TS), epochDay))).stream()
                .filter(day -> day.epochDay() == epochDay)
                .findFirst()
                .orElseGet(() -> new TableDay(epochDay, List.of(), List.of()));
    }

    private static List<TableDay> read(TableScan scan) {
        if (scan.snapshot() == null) {
            return List.of();
        }
        Map<Integer, List<FileScanTask>> logBlocks = new TreeMap<>();
        Map<Integer, List<FileScanTask>> others = new TreeMap<>();
        try (CloseableIterable<FileScanTask> tasks =
                scan.includeColumnStats(List.of(TS)).planFiles()) {
            for (FileScanTask task : tasks) {
                if (TableSchemas.isDaySpec(task.spec())) {
                    (isLogBlock(task) ? logBlocks : others)
                            .computeIfAbsent(task.file().partition().get(0, Integer.class), any -> new ArrayList<>())
                            .add(task);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return logBlocks.entrySet().stream()
                .map(day -> new TableDay(day.getKey(), day.getValue(), others.getOrDefault(day.getKey(), List.of())))
                .toList();
    }

    private static boolean isLogBlock(FileScanTask task) {
        String location = task.file().location();
        if (task.deletes().stream().anyMatch(delete -> delete.content() != FileContent.POSITION_DELETES)) {
            return false;
        }
        return LogBlockNames.label(location).isPresent()
                || LogBlockNames.mergedMillis(location).isPresent();
    }

    /** The LogBlocks as the planner sees them. */
    public List<LogBlockEntry> entries(Table table) {
        int tsId = table.schema().findField(TS).fieldId();
        return logBlocks.stream().map(task -> entry(task, tsId)).toList();
    }

    private LogBlockEntry entry(FileScanTask task, int tsId) {
        DataFile file = task.file();
        long dayStart = epochDay * 86_400_000_000L;
        return new LogBlockEntry(
                file.location(),
                file.fileSizeInBytes(),
                file.recordCount(),
                bound(file.lowerBounds(), tsId, dayStart),
                bound(file.upperBounds(), tsId, dayStart + 86_400_000_000L - 1),
                !task.deletes().isEmpty(),
                LogBlockNames.isDense(file.location()));
    }

    private static long bound(Map<Integer, ByteBuffer> bounds, int fieldId, long absent) {
        ByteBuffer value = bounds == null ? null : bounds.get(fieldId);
        return value == null ? absent : Conversions.<Long>fromByteBuffer(Types.TimestampType.withZone(), value);
    }
}
