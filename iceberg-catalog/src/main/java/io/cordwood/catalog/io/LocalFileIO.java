package io.cordwood.catalog.io;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Files on the local disk, without Hadoop. Thread-safe, serializable.
 *
 * <p>Locations are {@code file:///absolute/path}. A plain absolute path is accepted too and reported as a URI, because
 * engines choose their file system by the scheme. A file appears under its name only when it is complete and on disk.
 */
public final class LocalFileIO implements FileIO, SupportsPrefixOperations {
    private static final long serialVersionUID = 1;
    private static final String SCHEME = "file:";

    @Override
    public InputFile newInputFile(String location) {
        return new LocalInputFile(path(location));
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new LocalOutputFile(path(location));
    }

    /** Deletes the file; does nothing if there is none. */
    @Override
    public void deleteFile(String location) {
        try {
            Files.deleteIfExists(path(location));
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot delete %s", location);
        }
    }

    /**
     * Lists the files below a directory lazily, one directory after the other; none if the directory does not exist. A
     * file that is deleted meanwhile may be left out. The time of creation is that of the last change.
     *
     * @param prefix location of the directory
     */
    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        return () -> new LocalFiles(path(prefix));
    }

    /** Names of the directories in a directory, in order; none if it does not exist. */
    List<String> directories(String directory) {
        Path path = path(directory);
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(Files::isDirectory)
                    .map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot list %s", directory);
        }
    }

    /**
     * Deletes the directory with all its contents; does nothing if there is none. A directory stays if another process
     * writes into it meanwhile.
     *
     * @param prefix location of the directory
     */
    @Override
    public void deletePrefix(String prefix) {
        Path root = path(prefix);
        if (!Files.exists(root)) {
            return;
        }
        try {
            Files.walkFileTree(root, new Deletion());
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot delete the files under %s", prefix);
        }
    }

    /** Deletes files, and directories once they are empty. */
    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            try {
                Files.deleteIfExists(directory);
            } catch (DirectoryNotEmptyException e) {
                // Another process has written into it since.
                return FileVisitResult.CONTINUE;
            }
            return FileVisitResult.CONTINUE;
        }
    }

    /**
     * The path of a location. Locations are not percent-encoded: Iceberg compares and stores them as plain text.
     *
     * @throws IllegalArgumentException if it is not a {@code file:} URI or an absolute path
     */
    public static Path path(String location) {
        String path = location;
        if (location.startsWith(SCHEME)) {
            path = location.substring(SCHEME.length()).replaceFirst("^/+", "/");
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "'%s' is neither a file: URI nor an absolute path; other object stores need another io-impl"
                            .formatted(location));
        }
        return Path.of(path);
    }

    /** The location of a path. */
    public static String location(Path path) {
        return SCHEME + "//" + path.toAbsolutePath();
    }
}
