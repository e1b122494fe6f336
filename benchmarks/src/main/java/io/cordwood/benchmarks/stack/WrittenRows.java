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
 * Counts rows in the LogBlocks of a warehouse, committed or not. Polling it is cheaper than queries to Trino, which
 * would take CPU from the measured job. Not thread-safe.
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
                    // Reads only the footer: a LogBlock would open its index too.
                    rows.put(file, ParquetFile.open(in, new ReadMetrics()).rowCount());
                } catch (IOException notYetComplete) {
                    // The next poll reads it again.
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
