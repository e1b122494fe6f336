package io.cordwood.benchmarks.stack;

import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Rows in the LogBlocks of a warehouse, committed or not. Asking here until they may be all is cheaper than asking
 * Trino, which would take CPU from what is measured. Not thread-safe.
 */
final class WrittenRows {
    private final Path warehouse;
    private final Map<Path, Integer> rows = new HashMap<>();

    WrittenRows(Path warehouse) {
        this.warehouse = warehouse;
    }

    long count() {
        for (Path file : files()) {
            if (!rows.containsKey(file)) {
                try (RangeReader in = new FileRangeReader(file)) {
                    // The footer alone: a LogBlock would open its index too.
                    rows.put(file, ParquetFile.open(in, new ReadMetrics()).rowCount());
                } catch (IOException notYetComplete) {
                    // Looked at again next time.
                }
            }
        }
        return rows.values().stream().mapToLong(Integer::longValue).sum();
    }

    private List<Path> files() {
        try (Stream<Path> paths = Files.walk(warehouse)) {
            return paths.filter(file -> file.toString().endsWith(".parquet")).toList();
        } catch (IOException | UncheckedIOException changedMeanwhile) {
            return List.of();
        }
    }
}
