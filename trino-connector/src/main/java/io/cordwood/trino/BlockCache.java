package io.cordwood.trino;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.inject.Inject;
import java.util.Map;
import java.util.Optional;

/**
 * Bytes of objects in memory, in blocks of one size, shared by all queries of a node. Bounded in bytes. A block that is
 * asked for once does not drive out one that is asked for often (TinyLFU), so that a large scan does not flush the
 * cache. Thread-safe.
 */
final class BlockCache {
    /** Bytes of a block; the last of an object may be shorter. */
    static final int BLOCK_SIZE = 16 << 10;

    /** @param index number of the block within the object */
    record BlockKey(String location, long index) {}

    private final Cache<BlockKey, byte[]> blocks;

    @Inject
    BlockCache(CordwoodConfig config) {
        this(config.getBlockCacheSize().toBytes());
    }

    BlockCache(long maxBytes) {
        blocks = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((BlockKey key, byte[] bytes) -> bytes.length)
                .executor(Runnable::run)
                .recordStats()
                .build();
    }

    Optional<byte[]> find(BlockKey key) {
        return Optional.ofNullable(blocks.getIfPresent(key));
    }

    void put(BlockKey key, byte[] bytes) {
        blocks.put(key, bytes);
    }

    /** How often blocks were there, and how often not. */
    Map<String, Long> counts() {
        return CacheCounts.of(blocks.stats());
    }

    /** Drops what there is of an object: it may have come damaged. */
    void forget(String location) {
        blocks.asMap().keySet().removeIf(key -> key.location().equals(location));
    }
}
