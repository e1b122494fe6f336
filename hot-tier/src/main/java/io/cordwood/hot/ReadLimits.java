package io.cordwood.hot;

import io.cordwood.hot.HotTierException.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Limits of a query's hot reads, shared by all its scans. Thread-safe. */
public final class ReadLimits {
    private final long maxBytes;
    private final Duration timeout;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param maxBytes bytes of records, keys and values, of all tenants
     * @param timeout how long Kafka may return nothing
     */
    public ReadLimits(long maxBytes, Duration timeout) {
        this.maxBytes = maxBytes;
        this.timeout = timeout;
    }

    Duration timeout() {
        return timeout;
    }

    /**
     * Counts bytes that were read.
     *
     * @throws HotTierException of kind TOO_LARGE if the total exceeds the limit
     */
    void read(long more, String stream) {
        if (bytes.addAndGet(more) > maxBytes) {
            throw new HotTierException(
                    Kind.TOO_LARGE,
                    "More than %d bytes of stream '%s' are still in Kafka, not yet in LogBlocks, and may hold rows of this query"
                            .formatted(maxBytes, stream));
        }
    }
}
