package io.cordwood.query.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.cordwood.catalog.io.S3Settings;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bytes of objects in memory, in blocks of one size, shared by all queries of a node. Bounded in bytes. A block that is
 * asked for once does not drive out one that is asked for often (TinyLFU), so that a large scan does not flush the
 * cache. What falls out goes to the {@link DiskBlockCache}, if there is one and the object is not on a disk itself.
 * Thread-safe.
 */
public final class BlockCache implements Closeable {
    /** Bytes of a block; the last of an object may be shorter. */
    public static final int BLOCK_SIZE = 16 << 10;

    /** @param index number of the block within the object */
    record BlockKey(String location, long index) {}

    private final Cache<BlockKey, byte[]> blocks;
    private final Optional<DiskBlockCache> disk;

    public BlockCache(long maxBytes, Optional<DiskBlockCache> disk) {
        this.disk = disk;
        blocks = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((BlockKey key, byte[] bytes) -> bytes.length)
                .executor(Runnable::run)
                .evictionListener(this::evicted)
                .recordStats()
                .build();
    }

    private void evicted(BlockKey key, byte[] bytes, RemovalCause cause) {
        if (S3Settings.isS3(key.location())) {
            disk.ifPresent(cache -> cache.put(key, bytes));
        }
    }

    /** Those of the blocks that are there. */
    Map<BlockKey, byte[]> find(Collection<BlockKey> keys) {
        Map<BlockKey, byte[]> found = new HashMap<>(blocks.getAllPresent(keys));
        if (disk.isPresent() && found.size() < keys.size()) {
            found.putAll(findOnDisk(
                    disk.get(),
                    keys.stream().filter(key -> !found.containsKey(key)).toList()));
        }
        return found;
    }

    private Map<BlockKey, byte[]> findOnDisk(DiskBlockCache cache, List<BlockKey> keys) {
        long forgotten = cache.forgotten();
        Map<BlockKey, byte[]> found = cache.find(keys);
        blocks.putAll(found);
        if (cache.forgotten() != forgotten) {
            blocks.invalidateAll(found.keySet());
        }
        return found;
    }

    void put(BlockKey key, byte[] bytes) {
        blocks.put(key, bytes);
    }

    /** How often blocks were there, and how often not. */
    public Map<String, Long> counts() {
        return CacheCounts.of(blocks.stats());
    }

    /** The same of the cache on disk, which is asked for what is not in memory; nothing if there is none. */
    public Map<String, Long> diskCounts() {
        return disk.map(DiskBlockCache::counts).orElse(Map.of());
    }

    /** Drops what there is of an object: it may have come damaged. */
    public void forget(String location) {
        blocks.asMap().keySet().removeIf(key -> key.location().equals(location));
        disk.ifPresent(cache -> cache.forget(location));
    }

    @Override
    public void close() throws IOException {
        if (disk.isPresent()) {
            disk.get().close();
        }
    }
}
