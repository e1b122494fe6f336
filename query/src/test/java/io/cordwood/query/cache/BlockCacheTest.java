package io.cordwood.query.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.cache.BlockCache.BlockKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockCacheTest {
    private static final int CAPACITY = 400;
    private static final int HOT = 100;

    @Test
    void aLargeScanDoesNotFlushWhatIsAskedForOften() {
        BlockCache cache = new BlockCache((long) CAPACITY * BlockCache.BLOCK_SIZE, Optional.empty());
        for (int i = 0; i < CAPACITY; i++) {
            read(cache, "before", i);
        }
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < HOT; i++) {
                read(cache, "hot", i);
            }
        }
        for (int i = 0; i < 20 * CAPACITY; i++) {
            read(cache, "scanned", i);
        }
        long kept = 0;
        for (int i = 0; i < HOT; i++) {
            kept += cache.find(List.of(new BlockKey("hot", i))).size();
        }
        assertThat(kept).isGreaterThan(HOT * 9 / 10);
    }

    @Test
    void bytesAreBounded() {
        BlockCache cache = new BlockCache((long) CAPACITY * BlockCache.BLOCK_SIZE, Optional.empty());
        long kept = 0;
        for (int i = 0; i < 3 * CAPACITY; i++) {
            read(cache, "scanned", i);
        }
        for (int i = 0; i < 3 * CAPACITY; i++) {
            kept += cache.find(List.of(new BlockKey("scanned", i))).size();
        }
        assertThat(kept).isBetween(1L, (long) CAPACITY);
    }

    private static void read(BlockCache cache, String location, int index) {
        BlockKey key = new BlockKey(location, index);
        if (cache.find(List.of(key)).isEmpty()) {
            cache.put(key, new byte[BlockCache.BLOCK_SIZE]);
        }
    }
}
