package io.cordwood.hot;

import java.util.concurrent.atomic.LongAdder;

/** What reading the tail took. Thread-safe. */
public final class HotReadMetrics {
    /** Records that came from Kafka, of all tenants. */
    public final LongAdder recordsRead = new LongAdder();

    /** Bytes of their keys and values. */
    public final LongAdder bytesRead = new LongAdder();

    /** Chunks whose rows were in memory, all or some of them. */
    public final LongAdder chunksCached = new LongAdder();

    /** Chunks that were read from Kafka, all or the rest of them. */
    public final LongAdder chunksRead = new LongAdder();
}
