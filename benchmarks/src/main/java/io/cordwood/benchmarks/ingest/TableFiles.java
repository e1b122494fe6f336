package io.cordwood.benchmarks.ingest;

import io.cordwood.catalog.io.LocalFileIO;
import java.nio.file.Path;
import org.apache.iceberg.io.FileInfo;

/**
 * The number of files under a directory of tables.
 *
 * @param logBlocks number of LogBlocks, committed or not
 * @param commits number of manifest lists: in a young table one for each commit, because none has expired yet
 */
record TableFiles(int logBlocks, int commits) {
    /** Counts them, even while files come and go. */
    static TableFiles of(Path directory) {
        int logBlocks = 0;
        int commits = 0;
        for (FileInfo file : new LocalFileIO().listPrefix(LocalFileIO.location(directory))) {
            Path path = LocalFileIO.path(file.location());
            if (isLogBlock(path)) {
                logBlocks++;
            } else if (path.getFileName().toString().startsWith("snap-")) {
                commits++;
            }
        }
        return new TableFiles(logBlocks, commits);
    }

    static boolean isLogBlock(Path path) {
        return path.toString().endsWith(".parquet");
    }
}
