package io.cordwood.catalog.io;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileInfo;

/** Iterates over the files below a directory; holds the names of one directory per level. Not thread-safe. */
final class LocalFiles implements Iterator<FileInfo> {
    private final Deque<Path> waiting = new ArrayDeque<>();
    private Optional<FileInfo> next = Optional.empty();

    LocalFiles(Path directory) {
        waiting.push(directory);
    }

    @Override
    public boolean hasNext() {
        while (next.isEmpty() && !waiting.isEmpty()) {
            Path path = waiting.pop();
            try {
                next = visit(path);
            } catch (NoSuchFileException | NotDirectoryException e) {
                // Deleted since its name was read.
                next = Optional.empty();
            } catch (IOException e) {
                throw new RuntimeIOException(e, "Cannot list %s", LocalFileIO.location(path));
            }
        }
        return next.isPresent();
    }

    private Optional<FileInfo> visit(Path path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()) {
            return Optional.of(new FileInfo(
                    LocalFileIO.location(path),
                    attributes.size(),
                    attributes.lastModifiedTime().toMillis()));
        }
        try (DirectoryStream<Path> names = Files.newDirectoryStream(path)) {
            names.forEach(waiting::push);
        }
        return Optional.empty();
    }

    @Override
    public FileInfo next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        FileInfo found = next.orElseThrow();
        next = Optional.empty();
        return found;
    }
}
