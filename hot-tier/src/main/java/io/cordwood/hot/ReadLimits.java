package io.cordwood.hot;

import io.cordwood.hot.HotTierException.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** How much a query may take of the tail, all its scans that share these limits together. Thread-safe. */
public final class ReadLimits {
    private final long maxBytes;
    private final Duration patience;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param maxBytes bytes of records, keys and values, of all tenants
     * @param patience how long Kafka may give nothing
     */
    public ReadLimits(long maxBytes, Duration patience) {
        this.maxBytes = maxBytes;
        this.patience = patience;
    }

    Duration patience() {
        return patience;
    }

    /**
     * Takes note of bytes that were read.
     *
     * @throws HotTierException TOO_LARGE if they are more than may be read
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
