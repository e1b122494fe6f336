package io.cordwood.ingest.source;

import io.cordwood.ingest.source.ReadHistory.Position;
import java.util.Map;

/** A reader of the ends of partitions. Used by one thread at a time, except for {@link #wakeUp}. */
interface LogEndReader extends AutoCloseable {
    /**
     * Finds the offset up to which partitions hold no record. Blocks, for a bounded time.
     *
     * @param positions start offset of each partition
     * @return for each partition an offset at or above the start such that no committed record lies or ever will lie in
     *     between, and the leader whose log shows this. The offset is the start itself if a record is there, so that
     *     nothing more is known. Partitions that end at the start, or without a response, are missing
     */
    Map<LogPartition, Position> read(Map<LogPartition, Long> positions);

    /** Makes a read in progress, or else the next one, fail soon. Any thread may call it. */
    void wakeUp();

    @Override
    void close();
}
