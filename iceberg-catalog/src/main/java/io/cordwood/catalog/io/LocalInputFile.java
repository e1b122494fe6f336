package io.cordwood.catalog.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A readable file on the local disk. Thread-safe; its streams are not. */
record LocalInputFile(Path path) implements InputFile {
    @Override
    public long getLength() {
        try {
            return Files.size(path);
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "%s does not exist", location());
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot read the length of %s", location());
        }
    }

    @Override
    public SeekableInputStream newStream() {
        try {
            return new LocalInputStream(FileChannel.open(path, StandardOpenOption.READ));
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "Failed to open input stream for file: %s: it does not exist", location());
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot open %s", location());
        }
    }

    @Override
    public String location() {
        return LocalFileIO.location(path);
    }

    @Override
    public boolean exists() {
        return Files.exists(path);
    }
}
