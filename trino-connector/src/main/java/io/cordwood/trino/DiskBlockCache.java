package io.cordwood.trino;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.airlift.log.Logger;
import io.cordwood.trino.BlockCache.BlockKey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks of objects that fell out of memory, on a local disk, so that they need not be read from object storage again.
 * One file of slots of one size, bounded in bytes; which block is in which slot is known in memory alone. The file has no
 * name, so that nothing is left of it when the process ends, however it ends. Thread-safe.
 *
 * <p>Nobody waits for a write, and a disk that fails makes queries slower, not wrong: the cache is given up.
 */
final class DiskBlockCache implements Closeable {
    private static final Logger LOG = Logger.get(DiskBlockCache.class);
    /** Blocks on their way to the disk, at most; when there are so many, others are let go. */
    private static final int MAX_WRITES = 1024;

    private static final int THREADS = 4;

    /** Where a block is. Compared by identity: a slot that was given to another block has another one. */
    @SuppressWarnings("ClassCanBeRecord") // Records are equal if their values are
    private static final class Slot {
        private final int number;
        private final int length;

        Slot(int number, int length) {
            this.number = number;
            this.length = length;
        }

        long position() {
            return (long) number * BlockCache.BLOCK_SIZE;
        }
    }

    private final int maxSlots;
    private final ExecutorService executor;
    private final AsynchronousFileChannel file;
    private final Cache<BlockKey, Slot> slots;
    private final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger used = new AtomicInteger();
    private final Semaphore writes = new Semaphore(MAX_WRITES);
    private volatile boolean givenUp;

    /**
     * Begins empty.
     *
     * @param directory is made if it is missing
     * @param maxBytes at most; a quarter of what is free on the disk if that is less
     * @throws IOException if the file cannot be made there
     */
    DiskBlockCache(Path directory, long maxBytes) throws IOException {
        Files.createDirectories(directory);
        long bytes = Math.min(maxBytes, Files.getFileStore(directory).getUsableSpace() / 4);
        int cached = Math.clamp(bytes / BlockCache.BLOCK_SIZE, 1, Integer.MAX_VALUE - MAX_WRITES);
        maxSlots = cached + MAX_WRITES;
        slots = Caffeine.newBuilder()
                .maximumSize(cached)
                .executor(Runnable::run)
                .removalListener((BlockKey key, Slot slot, RemovalCause cause) -> free.add(slot.number))
                .recordStats()
                .build();
        Path path = Files.createTempFile(directory, "blocks", ".cache");
        executor = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().daemon().name("cordwood-disk-cache-", 0).factory());
        // Not a FileChannel: that is closed for all when a query's thread is interrupted
        file = AsynchronousFileChannel.open(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE), executor);
        Files.delete(path);
    }

    Optional<byte[]> find(BlockKey key) {
        Slot slot = givenUp ? null : slots.getIfPresent(key);
        if (slot == null) {
            return Optional.empty();
        }
        ByteBuffer block = ByteBuffer.allocate(slot.length);
        try {
            while (block.hasRemaining()) {
                if (file.read(block, slot.position() + block.position()).get() < 0) {
                    throw new IOException("the file ends within a block");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException | ExecutionException e) {
            giveUp(e);
            return Optional.empty();
        }
        // Else the slot may have been written anew meanwhile
        return slots.asMap().get(key) == slot ? Optional.of(block.array()) : Optional.empty();
    }

    /** Returns before the block is written; until then it is not found. */
    void put(BlockKey key, byte[] block) {
        if (givenUp || slots.asMap().containsKey(key) || !writes.tryAcquire()) {
            return;
        }
        Integer number = free.poll();
        if (number == null) {
            number = used.getAndIncrement();
            if (number >= maxSlots) { // What is evicted is not free yet
                used.decrementAndGet();
                writes.release();
                return;
            }
        }
        write(key, new Slot(number, block.length), ByteBuffer.wrap(block));
    }

    private void write(BlockKey key, Slot slot, ByteBuffer rest) {
        file.write(rest, slot.position() + rest.position(), null, new CompletionHandler<Integer, Void>() {
            @Override
            public void completed(Integer written, Void nothing) {
                if (rest.hasRemaining()) {
                    write(key, slot, rest);
                } else {
                    slots.put(key, slot);
                    writes.release();
                }
            }

            @Override
            public void failed(Throwable failure, Void nothing) {
                giveUp(failure);
            }
        });
    }

    private void giveUp(Throwable failure) {
        if (!givenUp) {
            givenUp = true;
            LOG.warn(failure, "The cache of blocks on disk is given up until the next start: its disk fails");
            slots.invalidateAll();
        }
    }

    /** Drops what there is of an object. */
    void forget(String location) {
        slots.asMap().keySet().removeIf(key -> key.location().equals(location));
    }

    /** How often blocks were there, and how often not. */
    Map<String, Long> counts() {
        return CacheCounts.of(slots.stats());
    }

    @Override
    public void close() throws IOException {
        givenUp = true;
        file.close();
        executor.shutdown();
    }
}
