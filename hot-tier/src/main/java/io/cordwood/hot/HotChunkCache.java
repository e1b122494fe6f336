package io.cordwood.hot;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;

/**
 * A cache of the rows of chunks. The content of an offset range does not change under one leader, so only the newest
 * offsets are read again. Bounded by bytes. Thread-safe.
 */
final class HotChunkCache {
    private static final int ENTRY_BYTES = 200;

    /**
     * Rows of one tenant in a chunk.
     *
     * @param leaderEpoch the leader epoch under which these offsets hold these rows
     * @param from first offset of the chunk
     * @param version the version of the {@link HotTable}
     */
    record Key(String topicId, int partition, int leaderEpoch, long from, String tenantId, String version) {}

    /**
     * The rows of an offset range within a chunk; empty if the tenant has none there.
     *
     * @param to the offset after the last one
     */
    record Part(long to, List<HotLogBlock> logBlocks) {
        Part {
            logBlocks = List.copyOf(logBlocks);
        }
    }

    private final Cache<Key, List<Part>> chunks;

    HotChunkCache(long maxBytes) {
        chunks = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key key, List<Part> parts) -> weight(parts))
                .build();
    }

    private static int weight(List<Part> parts) {
        long bytes = ENTRY_BYTES;
        for (Part part : parts) {
            for (HotLogBlock logBlock : part.logBlocks()) {
                bytes += logBlock.retainedBytes();
            }
        }
        return Math.clamp(bytes, 1, Integer.MAX_VALUE);
    }

    /** The cached parts of a chunk, consecutive from its beginning. */
    List<Part> get(Key key) {
        List<Part> parts = chunks.getIfPresent(key);
        return parts == null ? List.of() : parts;
    }

    /** Caches the parts of a chunk, unless another query has read further meanwhile. */
    void put(Key key, List<Part> parts) {
        chunks.asMap().merge(key, List.copyOf(parts), (old, read) -> reached(read) >= reached(old) ? read : old);
    }

    private static long reached(List<Part> parts) {
        return parts.getLast().to();
    }
}
