package io.cordwood.query.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.cache.BlockCache.BlockKey;
import io.cordwood.services.Waiting;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskBlockCacheTest {
    private static final String LOCATION = "s3://bucket/object";
    private static final int CAPACITY = 100;

    @TempDir
    Path directory;

    @Test
    void whatFallsOutOfMemoryComesFromDisk() throws Exception {
        try (DiskBlockCache disk = new DiskBlockCache(directory, 1 << 20);
                BlockCache cache = new BlockCache(BlockCache.BLOCK_SIZE, Optional.of(disk))) {
            for (int i = 0; i < 10; i++) {
                cache.put(new BlockKey(LOCATION, i), block(i, BlockCache.BLOCK_SIZE - i));
            }
            for (int i = 0; i < 10; i++) {
                BlockKey key = new BlockKey(LOCATION, i);
                Waiting.until(
                        "the block is written", () -> cache.find(List.of(key)).containsKey(key));
                assertThat(cache.find(List.of(key))).containsEntry(key, block(i, BlockCache.BLOCK_SIZE - i));
            }
            assertThat(cache.diskCounts().get("hits")).isGreaterThanOrEqualTo(9);
            cache.forget(LOCATION);
            assertThat(cache.find(List.of(new BlockKey(LOCATION, 1)))).isEmpty();
        }
    }

    @Test
    void whatIsOnADiskAnywayIsNotWritten() throws Exception {
        try (DiskBlockCache disk = new DiskBlockCache(directory, 1 << 20);
                BlockCache cache = new BlockCache(BlockCache.BLOCK_SIZE, Optional.of(disk))) {
            for (int i = 0; i < 10; i++) {
                cache.put(new BlockKey("/warehouse/object", i), block(i, BlockCache.BLOCK_SIZE));
                cache.put(new BlockKey(LOCATION, i), block(i, BlockCache.BLOCK_SIZE));
            }
            Waiting.until(
                    "the block is written",
                    () -> !disk.find(List.of(new BlockKey(LOCATION, 3))).isEmpty());
            for (int i = 0; i < 10; i++) {
                assertThat(disk.find(List.of(new BlockKey("/warehouse/object", i))))
                        .isEmpty();
            }
        }
    }

    /** Slots change hands while long reads are under way: a block is right or absent. */
    @Test
    void readersOfSlotsThatAreWrittenAnewNeverGetAnotherBlock() throws Exception {
        byte[][] blocks = IntStream.range(0, 4 * CAPACITY)
                .mapToObj(index -> block(index, BlockCache.BLOCK_SIZE))
                .toArray(byte[][]::new);
        AtomicLong right = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        try (DiskBlockCache disk = new DiskBlockCache(directory, (long) CAPACITY * BlockCache.BLOCK_SIZE)) {
            Thread[] threads = IntStream.range(0, 4)
                    .mapToObj(seed -> Thread.ofPlatform().start(() -> {
                        Random random = new Random(seed);
                        for (int i = 0; i < 1_000; i++) {
                            List<BlockKey> keys = random.ints(CAPACITY, 0, blocks.length)
                                    .distinct()
                                    .mapToObj(index -> new BlockKey(LOCATION, index))
                                    .toList();
                            Map<BlockKey, byte[]> found = disk.find(keys);
                            found.forEach((key, block) -> (Arrays.equals(block, blocks[(int) key.index()])
                                            ? right
                                            : wrong)
                                    .incrementAndGet());
                            for (BlockKey key : keys) {
                                if (!found.containsKey(key)) {
                                    disk.put(key, blocks[(int) key.index()]);
                                }
                            }
                        }
                    }))
                    .toArray(Thread[]::new);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(disk.counts().get("evictions")).isPositive();
        }
        assertThat(right).hasPositiveValue();
        assertThat(wrong).hasValue(0);
    }

    @Test
    void interruptedReaderLeavesTheCacheToTheOthers() throws Exception {
        BlockKey key = new BlockKey(LOCATION, 0);
        try (DiskBlockCache disk = new DiskBlockCache(directory, 1 << 20)) {
            disk.put(key, block(7, 100));
            Waiting.until("the block is written", () -> !disk.find(List.of(key)).isEmpty());
            Thread.currentThread().interrupt();
            disk.find(List.of(key));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(disk.find(List.of(key))).containsEntry(key, block(7, 100));
        }
    }

    @Test
    void fileHasNoName() throws Exception {
        try (DiskBlockCache disk = new DiskBlockCache(directory.resolve("new"), 1 << 20)) {
            disk.put(new BlockKey(LOCATION, 0), block(0, 100));
            assertThat(directory.resolve("new")).isEmptyDirectory();
        }
    }

    private static byte[] block(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
