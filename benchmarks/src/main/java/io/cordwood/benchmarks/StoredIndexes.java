package io.cordwood.benchmarks;

import io.cordwood.logblock.RangeReader;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The LogBlocks under a directory, and the bytes of their indexes. */
record StoredIndexes(int logBlocks, long bytes) {
    static StoredIndexes of(Path directory) throws IOException {
        int count = 0;
        long bytes = 0;
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path :
                    paths.filter(file -> file.toString().endsWith(".parquet")).toList()) {
                try (RangeReader in = new FileRangeReader(path)) {
                    count++;
                    bytes += IndexLocation.load(
                                    ParquetFile.open(in, new ReadMetrics()).keyValues())
                            .map(index -> index.coldLength() + index.hotLength())
                            .orElse(0L);
                }
            }
        }
        return new StoredIndexes(count, bytes);
    }
}
