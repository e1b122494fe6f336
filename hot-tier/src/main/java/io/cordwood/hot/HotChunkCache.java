package io.cordwood.hot;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;

/**
 * Rows of chunks that were read before. What a run of offsets holds does not change under one leader, so only the end
 * of the tail is read anew. Bounded by bytes. Thread-safe.
 */
final class HotChunkCache {
    private static final int ENTRY_BYTES = 200;

    /**
     * Rows of one tenant in a chunk.
     *
     * @param leaderEpoch the epoch under which they are what stands at these offsets
     * @param from where the chunk begins
     * @param version the version of the {@link HotTable}
     */
    record Key(String topicId, int partition, int leaderEpoch, long from, String tenantId, String version) {}

    /**
     * The rows of a run of offsets within a chunk; none if the tenant has none there.
     *
     * @param to the offset after the last one
     */
    record Piece(long to, List<HotLogBlock> logBlocks) {
        Piece {
            logBlocks = List.copyOf(logBlocks);
        }
    }

    private final Cache<Key, List<Piece>> chunks;

    HotChunkCache(long maxBytes) {
        chunks = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key key, List<Piece> pieces) -> weight(pieces))
                .build();
    }

    private static int weight(List<Piece> pieces) {
        long bytes = ENTRY_BYTES;
        for (Piece piece : pieces) {
            for (HotLogBlock logBlock : piece.logBlocks()) {
                bytes += logBlock.retainedBytes();
            }
        }
        return Math.clamp(bytes, 1, Integer.MAX_VALUE);
    }

    /** What is known of a chunk: pieces one after the other from its beginning on. */
    List<Piece> get(Key key) {
        List<Piece> pieces = chunks.getIfPresent(key);
        return pieces == null ? List.of() : pieces;
    }

    /** Keeps what is known of a chunk, unless somebody has read further meanwhile. */
    void put(Key key, List<Piece> pieces) {
        chunks.asMap().merge(key, List.copyOf(pieces), (old, read) -> reached(read) >= reached(old) ? read : old);
    }

    private static long reached(List<Piece> pieces) {
        return pieces.getLast().to();
    }
}
