package io.cordwood.benchmarks;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * How many files there are under a directory of tables.
 *
 * @param logBlocks those that are written, committed or not
 * @param commits manifest lists: of a young table one for each commit, since nothing has expired yet
 */
record TableFiles(int logBlocks, int commits) {
    /** Counts them, also while others come and go. */
    static TableFiles of(Path directory) throws IOException {
        Count count = new Count();
        Files.walkFileTree(directory, count);
        return new TableFiles(count.logBlocks, count.commits);
    }

    static boolean isLogBlock(Path path) {
        return path.toString().endsWith(".parquet");
    }

    private static final class Count extends SimpleFileVisitor<Path> {
        private int logBlocks;
        private int commits;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (isLogBlock(file)) {
                logBlocks++;
            } else if (file.getFileName().toString().startsWith("snap-")) {
                commits++;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }
}
