package io.cordwood.benchmarks.ingest;

import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The size of the tables under a directory.
 *
 * @param total size of the files in bytes
 * @param index size of their indexes in bytes
 * @param columns size of column blocks in bytes, by leaf column
 */
record StoredBytes(long total, long index, Map<String, Long> columns) {
    static StoredBytes of(Path directory) throws IOException {
        long total = 0;
        long index = 0;
        Map<String, Long> columns = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (!TableFiles.isLogBlock(path)) {
                    continue;
                }
                total += Files.size(path);
                try (RangeReader in = new FileRangeReader(path)) {
                    ParquetFile file = ParquetFile.open(in, new ReadMetrics());
                    index += IndexLocation.load(file.keyValues())
                            .map(location -> location.coldLength() + location.hotLength())
                            .orElse(0L);
                    file.storedBytes().forEach((column, bytes) -> columns.merge(column, bytes, Long::sum));
                }
            }
        }
        return new StoredBytes(total, index, columns);
    }
}
