package io.cordwood.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directory trees. Stateless. */
final class Directories {
    private Directories() {}

    static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Bytes of the files with this suffix. */
    static long size(Path directory, String suffix) throws IOException {
        long size = 0;
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path :
                    paths.filter(file -> file.toString().endsWith(suffix)).toList()) {
                size += Files.size(path);
            }
        }
        return size;
    }
}
