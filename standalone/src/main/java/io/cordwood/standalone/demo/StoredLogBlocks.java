package io.cordwood.standalone.demo;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The Parquet files below a directory to which jobs still write.
 *
 * @param files their number
 * @param bytes their size
 */
record StoredLogBlocks(int files, long bytes) {
    static StoredLogBlocks of(Path warehouse) throws IOException {
        Count count = new Count();
        Files.walkFileTree(warehouse, count);
        return new StoredLogBlocks(count.files, count.bytes);
    }

    private static final class Count extends SimpleFileVisitor<Path> {
        private int files;
        private long bytes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".parquet")) {
                files++;
                bytes += attributes.size();
            }
            return FileVisitResult.CONTINUE;
        }

        /** Skips a file that was deleted after its directory was listed: each commit deletes old metadata. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }
    }
}
