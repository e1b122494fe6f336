package io.cordwood.hot;

import java.util.concurrent.atomic.LongAdder;

/** Counters of hot reads. Thread-safe. */
public final class HotReadMetrics {
    /** Records read from Kafka, of all tenants. */
    public final LongAdder recordsRead = new LongAdder();

    /** Bytes of the keys and values of these records. */
    public final LongAdder bytesRead = new LongAdder();

    /** Chunks whose rows were cached, completely or in part. */
    public final LongAdder chunksCached = new LongAdder();

    /** Chunks that were read from Kafka, completely or in part. */
    public final LongAdder chunksRead = new LongAdder();
}
