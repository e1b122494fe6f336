package io.cordwood.gateway.splunk;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The acknowledgement ids that were given out on each channel: consecutive numbers from 0. An id is given out after
 * Kafka has acknowledged the rows, so each of them stands for rows that are safe. A channel that was not used for long
 * may be forgotten; its ids are unknown then, and its client sends again. Thread-safe.
 */
final class AckChannels {
    private static final int KEPT = 10_000;

    private final Cache<Key, AtomicLong> given = Caffeine.newBuilder()
            // Evicted by the caller itself: as many are kept as were promised
            .executor(Runnable::run)
            .maximumSize(KEPT)
            .build();

    private record Key(String tenant, String channel) {}

    /** Gives out an id. */
    long next(String tenant, String channel) {
        return given.get(new Key(tenant, channel), any -> new AtomicLong()).getAndIncrement();
    }

    /** Whether an id was given out. */
    boolean isGiven(String tenant, String channel, long id) {
        AtomicLong next = given.getIfPresent(new Key(tenant, channel));
        return next != null && id >= 0 && id < next.get();
    }

    /** Channels that are remembered. */
    long size() {
        given.cleanUp();
        return given.estimatedSize();
    }
}
