package io.cordwood.benchmarks.compaction;

import io.cordwood.catalog.io.LocalFileIO;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/**
 * Local files without fsync, so that measurements do not depend on this machine's disk and its other users.
 * Thread-safe. Public, because catalogs instantiate it by name.
 */
public final class UnforcedFileIO implements FileIO {
    private static final long serialVersionUID = 1;

    private final LocalFileIO files = new LocalFileIO();

    @Override
    public InputFile newInputFile(String location) {
        return files.newInputFile(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        OutputFile forced = files.newOutputFile(location);
        return new Unforced(forced.location(), LocalFileIO.path(location), files);
    }

    @Override
    public void deleteFile(String location) {
        files.deleteFile(location);
    }

    private record Unforced(String location, Path path, FileIO files) implements OutputFile {
        @Override
        public PositionOutputStream create() {
            if (Files.exists(path)) {
                throw new AlreadyExistsException("There is a file at %s", path);
            }
            return createOrOverwrite();
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            try {
                Files.createDirectories(path.getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return org.apache.iceberg.Files.localOutput(path.toFile()).createOrOverwrite();
        }

        @Override
        public InputFile toInputFile() {
            return files.newInputFile(location);
        }
    }
}
