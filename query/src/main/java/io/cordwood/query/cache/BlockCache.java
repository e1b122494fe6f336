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
 * A cache of bytes of objects in memory, in blocks of one size, shared by all queries of a node. Bounded in bytes. A
 * block that is requested once does not evict one that is requested often (TinyLFU), so a large scan does not flush the
 * cache. Evicted blocks go to the {@link DiskBlockCache}, if there is one and the object is not on a local disk itself.
 * Thread-safe.
 */
public final class BlockCache implements Closeable {
    /** Size of a block in bytes; the last block of an object may be shorter. */
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

    /** Finds the blocks that are cached. */
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

    /** Hits, misses and evictions since the start. */
    public Map<String, Long> counts() {
        return CacheCounts.of(blocks.stats());
    }

    /** The same counts of the disk cache, which serves misses of the memory; empty if there is none. */
    public Map<String, Long> diskCounts() {
        return disk.map(DiskBlockCache::counts).orElse(Map.of());
    }

    /** Drops the blocks of an object, which may have arrived damaged. */
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
