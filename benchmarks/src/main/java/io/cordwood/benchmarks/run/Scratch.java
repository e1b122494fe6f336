package io.cordwood.benchmarks.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The temporary directory of a run and the processes in it. They are removed at the end of the run, and also after ^C
 * or a kill. Thread-safe.
 */
public final class Scratch implements AutoCloseable {
    private final Path directory;
    private final Deque<Closeable> started = new ArrayDeque<>();
    private boolean kept;
    private boolean closed;

    private Scratch(Path directory) {
        this.directory = directory;
    }

    /** Creates the directory. */
    public static Scratch create() throws IOException {
        Scratch scratch = new Scratch(Files.createTempDirectory("cordwood-bench"));
        Runtime.getRuntime().addShutdownHook(new Thread(scratch::closeWhenKilled, "clear"));
        return scratch;
    }

    /** The directory, which exists until this is closed. */
    public Path directory() {
        return directory;
    }

    /**
     * Starts something that is stopped before the directory is removed. It starts nothing once the removal has begun.
     */
    public synchronized <T extends Closeable> T start(Start<T> start) throws IOException {
        if (closed) {
            throw new IOException("the run is being ended");
        }
        T it = start.run();
        started.push(it);
        return it;
    }

    /** Keeps the directory, for a look at its data and logs. */
    public synchronized void keep() {
        kept = true;
    }

    /** Starts something. */
    public interface Start<T> {
        T run() throws IOException;
    }

    private void closeWhenKilled() {
        try {
            close();
        } catch (IOException e) {
            System.err.printf("bench: could not remove %s: %s%n", directory, e.getMessage());
        }
    }

    /**
     * Stops everything in reverse order of its start and deletes the directory, unless it is kept; a second call waits
     * for the first.
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            while (!started.isEmpty()) {
                started.pop().close();
            }
        } finally {
            if (!kept) {
                Directories.delete(directory);
            }
        }
    }
}
