package io.cordwood.trino;

import io.trino.spi.metrics.Metrics;
import java.io.Closeable;
import java.util.Optional;

/** The LogBlocks that a split stands for, one after another. Not thread-safe. */
interface LogBlockSequence extends Closeable {
    /** Whether there is no further one. */
    boolean isDone();

    /** The next one; empty if it is not there yet. */
    Optional<CordwoodColdPageSource> next();

    /** Takes note that all that is wanted of one was read. */
    void read(CordwoodColdPageSource logBlock);

    /** Bytes read so far. */
    long bytesRead();

    Metrics metrics();

    @Override
    void close();
}
