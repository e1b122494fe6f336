package io.cordwood.catalog.io;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** A writable file on the local disk. Thread-safe; its streams are not. */
record LocalOutputFile(Path path) implements OutputFile {
    /** Gives a complete file its name. */
    @FunctionalInterface
    interface Publication {
        void publish(Path complete) throws IOException;
    }

    @Override
    public PositionOutputStream create() {
        if (Files.exists(path)) {
            throw new AlreadyExistsException("%s exists already", location());
        }
        return open(this::linkAsNew);
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
        return open(complete -> Files.move(complete, path, StandardCopyOption.ATOMIC_MOVE));
    }

    /** A link, unlike a move, fails if the name is taken. */
    private void linkAsNew(Path complete) throws IOException {
        try {
            Files.createLink(path, complete);
        } catch (FileAlreadyExistsException e) {
            throw new AlreadyExistsException(e, "%s exists already", location());
        } finally {
            Files.deleteIfExists(complete);
        }
    }

    private PositionOutputStream open(Publication publication) {
        Path incomplete = path.resolveSibling("." + path.getFileName() + "." + UUID.randomUUID() + ".incomplete");
        try {
            return open(incomplete, publication);
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot write %s", location());
        }
    }

    /** Opens without a check of the directory, which usually exists: the check takes longer than opening the file. */
    private static PositionOutputStream open(Path incomplete, Publication publication) throws IOException {
        try {
            return new LocalOutputStream(incomplete, publication);
        } catch (NoSuchFileException e) {
            Files.createDirectories(incomplete.getParent());
            return new LocalOutputStream(incomplete, publication);
        }
    }

    @Override
    public String location() {
        return LocalFileIO.location(path);
    }

    @Override
    public InputFile toInputFile() {
        return new LocalInputFile(path);
    }
}
