package io.cordwood.query.search;

import java.time.Duration;

/**
 * Bounds of one question. Immutable.
 *
 * @param maxBytes bytes of LogBlocks to read
 * @param maxHotBytes bytes of records to read from Kafka, of all tenants
 * @param timeout time for the whole question
 * @param threads threads that read concurrently
 */
public record ScanLimits(long maxBytes, long maxHotBytes, Duration timeout, int threads) {
    public ScanLimits {
        if (maxBytes <= 0 || maxHotBytes <= 0 || timeout.isNegative() || timeout.isZero() || threads <= 0) {
            throw new IllegalArgumentException("Limits of a question must be positive");
        }
    }
}
