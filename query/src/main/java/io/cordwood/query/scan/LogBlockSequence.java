package io.cordwood.query.scan;

import java.io.Closeable;
import java.util.Map;
import java.util.Optional;

/** The LogBlocks that a split stands for, one after another. Not thread-safe. */
public interface LogBlockSequence extends Closeable {
    /** Whether there is no further one. */
    boolean isDone();

    /** The next one; empty if it is not there yet. */
    Optional<LogBlockReader> next();

    /** Takes note that all that is wanted of one was read. */
    void read(LogBlockReader logBlock);

    /** Bytes read so far. */
    long bytesRead();

    /** Counts by the names that {@code EXPLAIN ANALYZE VERBOSE} shows. */
    Map<String, Long> counts();

    @Override
    void close();
}
