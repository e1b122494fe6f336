package io.cordwood.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * Files on the local disk, without Hadoop. Thread-safe, serializable.
 *
 * <p>Locations are {@code file:///absolute/path}; a plain absolute path is taken too and reported as a URI, because
 * engines pick their file system by the scheme. A file appears under its name only when it is complete and on disk.
 */
public final class LocalFileIO implements FileIO {
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
