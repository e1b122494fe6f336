package io.cordwood.benchmarks;

import io.cordwood.logblock.RangeReader;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.parquet.ParquetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the tables under a directory take.
 *
 * @param commits manifest lists: of a young table one for each commit, since nothing has expired yet
 * @param total bytes of the files
 * @param index bytes of their indexes
 * @param columns bytes of column blocks, by leaf column
 */
record StoredBytes(int logBlocks, int commits, long total, long index, Map<String, Long> columns) {
    private static final String MANIFEST_LIST = "snap-";

    static StoredBytes of(Path directory) throws IOException {
        int count = 0;
        int commits = 0;
        long total = 0;
        long index = 0;
        Map<String, Long> columns = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (path.getFileName().toString().startsWith(MANIFEST_LIST)) {
                    commits++;
                }
                if (!path.toString().endsWith(".parquet")) {
                    continue;
                }
                count++;
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
        return new StoredBytes(count, commits, total, index, columns);
    }
}
