package io.cordwood.identity;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What a file holds, read again when the file changes, so that secrets can be replaced under a running service. A
 * change that cannot be read is logged, and what was read before stays in use until it can. Thread-safe.
 *
 * @param <T> what is read
 */
final class FileContent<T> implements Supplier<T> {
    private static final System.Logger LOG = System.getLogger(FileContent.class.getName());

    /** Reads a file. An {@code IllegalArgumentException} says, as an {@code IOException}, what is wrong with it. */
    @FunctionalInterface
    interface Reading<T> {
        T read(Path file) throws IOException;
    }

    /** What tells one state of a file from another; a file that was moved here has another key. */
    private record State(FileTime modified, long size, Object key) {
        static State of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new State(
                    attributes.lastModifiedTime(),
                    attributes.size(),
                    Objects.requireNonNullElse(attributes.fileKey(), ""));
        }
    }

    private record Content<T>(T value, State state) {}

    private final Path file;
    private final Reading<T> reading;
    private volatile Content<T> content;
    /** What was logged of the last call; empty if that succeeded. */
    private volatile String failure = "";

    /** @throws IOException if the file cannot be read now */
    FileContent(Path file, Reading<T> reading) throws IOException {
        this.file = requireNonNull(file, "file is null");
        this.reading = requireNonNull(reading, "reading is null");
        // The state first: a change in between is read the next time
        State state = State.of(file);
        content = new Content<>(reading.read(file), state);
    }

    @Override
    public T get() {
        Content<T> last = content;
        try {
            State state = State.of(file);
            T value = state.equals(last.state()) ? last.value() : changed(state);
            if (!failure.isEmpty()) {
                failure = "";
            }
            return value;
        } catch (IOException e) {
            failed(e);
            return content.value();
        }
    }

    /** After a failure the earlier state stays, so the next call tries again: the file may be good without a change. */
    private synchronized T changed(State state) throws IOException {
        if (!state.equals(content.state())) {
            try {
                content = new Content<>(reading.read(file), state);
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        return content.value();
    }

    private synchronized void failed(IOException e) {
        String text = e.toString();
        if (!text.equals(failure)) {
            failure = text;
            LOG.log(System.Logger.Level.WARNING, "Cannot read {0}; what it held before stays in use: {1}", file, text);
        }
    }
}
