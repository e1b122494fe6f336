package io.cordwood.ingest.source;

import io.cordwood.ingest.source.ReadHistory.Position;
import java.util.Map;

/** Looks for records at the ends of partitions. Used by one thread at a time, but for {@link #wakeUp}. */
interface LogEndReader extends AutoCloseable {
    /**
     * Finds out how far partitions hold no record. Blocks, for a bounded time.
     *
     * @param positions where to look from, an offset for each partition
     * @return for each partition an offset, not below the one looked from, so that no committed record lies in between,
     *     nor ever will, and the leader in whose log that is so: the one looked from if nothing more can be said of it,
     *     as a record stands there; none for a partition that ends there, or that there was no answer about
     */
    Map<LogPartition, Position> look(Map<LogPartition, Long> positions);

    /** Makes a look that is under way, or else the next one, fail soon. Called by any thread. */
    void wakeUp();

    @Override
    void close();
}
