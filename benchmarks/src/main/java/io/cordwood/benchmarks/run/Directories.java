package io.cordwood.benchmarks.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directory trees. Stateless. */
public final class Directories {
    private static final int TRIES = 10;

    private Directories() {}

    /** Deletes a tree, even while a thread of this process still adds files to it. */
    public static void delete(Path directory) throws IOException {
        IOException last = null;
        for (int left = TRIES; left > 0 && Files.exists(directory); left--) {
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (UncheckedIOException e) {
                last = e.getCause();
            } catch (DirectoryNotEmptyException | NoSuchFileException e) {
                last = e;
            }
        }
        if (last != null && Files.exists(directory)) {
            throw last;
        }
    }

    /** Copies a tree into a new directory. */
    public static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    /** Size in bytes of the files with this suffix. */
    public static long size(Path directory, String suffix) throws IOException {
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
