package io.cordwood.query.cache;

import io.cordwood.logblock.vector.DecodedCache;
import java.util.Map;

/** Converts the counts of a cache since the start to a map by name. Stateless. */
public final class CacheCounts {
    private CacheCounts() {}

    public static Map<String, Long> of(com.google.common.cache.CacheStats stats) {
        return of(stats.hitCount(), stats.missCount(), stats.evictionCount());
    }

    public static Map<String, Long> of(com.github.benmanes.caffeine.cache.stats.CacheStats stats) {
        return of(stats.hitCount(), stats.missCount(), stats.evictionCount());
    }

    public static Map<String, Long> of(DecodedCache.Counts counts) {
        return of(counts.hits(), counts.misses(), counts.evictions());
    }

    private static Map<String, Long> of(long hits, long misses, long evictions) {
        return Map.of("hits", hits, "misses", misses, "evictions", evictions);
    }
}
