package io.cordwood.query.scan;

import java.io.Closeable;
import java.util.Map;
import java.util.Optional;

/** The LogBlocks of a split, one after another. Not thread-safe. */
public interface LogBlockSequence extends Closeable {
    /** Whether the sequence has no further LogBlock. */
    boolean isDone();

    /** The next LogBlock; empty if it is not available yet. */
    Optional<LogBlockReader> next();

    /** Records that all requested rows of a LogBlock were read. */
    void read(LogBlockReader logBlock);

    /** Bytes read so far. */
    long bytesRead();

    /** The counts by the names that {@code EXPLAIN ANALYZE VERBOSE} shows. */
    Map<String, Long> counts();

    @Override
    void close();
}
