package io.cordwood.query.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.cordwood.query.cache.BlockCache.BlockKey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache on a local disk of blocks that were evicted from memory; it saves reading them from object storage again. It
 * is one file of slots of one size, bounded in bytes; only memory knows which slot holds which block. The file has no
 * name, so nothing of it remains when the process ends, however it ends. Thread-safe.
 *
 * <p>Queries never wait for a write. A failing disk makes queries slower, not wrong: the cache is disabled.
 */
public final class DiskBlockCache implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskBlockCache.class);
    /** The maximum number of pending writes; further blocks are dropped. */
    private static final int MAX_WRITES = 1024;

    private static final int READ_THREADS = 8;

    /** The slot of a block. Compared by identity: a slot that is reused for another block gets a new object. */
    @SuppressWarnings("ClassCanBeRecord") // Records compare by value
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
    private final Channel reads;
    private final Channel writes;
    private final Cache<BlockKey, Slot> slots;
    private final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger used = new AtomicInteger();
    private final Semaphore permits = new Semaphore(MAX_WRITES);
    private final AtomicLong forgotten = new AtomicLong();
    private volatile boolean givenUp;

    /** The file with its own threads, so that reads do not queue behind writes. */
    private record Channel(AsynchronousFileChannel file, ExecutorService threads) implements Closeable {
        static Channel open(Path path, StandardOpenOption option, int threads) throws IOException {
            ExecutorService executor = Executors.newFixedThreadPool(
                    threads,
                    Thread.ofPlatform()
                            .daemon()
                            .name("cordwood-disk-cache-%s-".formatted(option), 0)
                            .factory());
            // Not a FileChannel: an interrupt of one query's thread closes it for all
            return new Channel(AsynchronousFileChannel.open(path, Set.of(option), executor), executor);
        }

        @Override
        public void close() throws IOException {
            file.close();
            threads.shutdown();
        }
    }

    /**
     * Creates an empty cache.
     *
     * @param directory created if it is missing
     * @param maxBytes maximum size; a quarter of the disk's free space if that is less
     * @throws IOException if the file cannot be created there
     */
    public DiskBlockCache(Path directory, long maxBytes) throws IOException {
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
        reads = Channel.open(path, StandardOpenOption.READ, READ_THREADS);
        writes = Channel.open(path, StandardOpenOption.WRITE, 1);
        Files.delete(path);
    }

    /** Finds the blocks that are cached, and reads them in parallel. */
    Map<BlockKey, byte[]> find(Collection<BlockKey> keys) {
        Map<BlockKey, Reading> started = new LinkedHashMap<>();
        for (BlockKey key : keys) {
            Slot slot = givenUp ? null : slots.getIfPresent(key);
            if (slot != null) {
                started.put(key, Reading.start(reads.file, slot));
            }
        }
        Map<BlockKey, byte[]> found = new HashMap<>();
        try {
            for (Map.Entry<BlockKey, Reading> entry : started.entrySet()) {
                BlockKey key = entry.getKey();
                Reading reading = entry.getValue();
                byte[] block = reading.finish(reads.file);
                // Otherwise the slot may have been overwritten meanwhile
                if (slots.asMap().get(key) == reading.slot) {
                    found.put(key, block);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | ExecutionException e) {
            giveUp(e);
        }
        return found;
    }

    /** A pending read of a block into these bytes. */
    private record Reading(Slot slot, byte[] block, Future<Integer> first) {
        static Reading start(AsynchronousFileChannel file, Slot slot) {
            byte[] block = new byte[slot.length];
            return new Reading(slot, block, file.read(ByteBuffer.wrap(block), slot.position()));
        }

        byte[] finish(AsynchronousFileChannel file) throws IOException, ExecutionException, InterruptedException {
            int done = first.get();
            while (done < block.length) {
                int read = file.read(ByteBuffer.wrap(block, done, block.length - done), slot.position() + done)
                        .get();
                if (read <= 0) {
                    throw new IOException("the file ends within a block");
                }
                done += read;
            }
            return block;
        }
    }

    /** Writes a block in the background; the block is not found until it is written. */
    void put(BlockKey key, byte[] block) {
        if (givenUp || slots.asMap().containsKey(key) || !permits.tryAcquire()) {
            return;
        }
        Integer number = free.poll();
        if (number == null) {
            number = used.getAndIncrement();
            if (number >= maxSlots) { // An evicted slot is not free yet
                used.decrementAndGet();
                permits.release();
                return;
            }
        }
        write(key, new Slot(number, block.length), ByteBuffer.wrap(block), forgotten.get());
    }

    private void write(BlockKey key, Slot slot, ByteBuffer rest, long forgottenBefore) {
        writes.file.write(rest, slot.position() + rest.position(), null, new CompletionHandler<Integer, Void>() {
            @Override
            public void completed(Integer written, Void nothing) {
                if (rest.hasRemaining()) {
                    write(key, slot, rest, forgottenBefore);
                    return;
                }
                slots.put(key, slot);
                if (forgotten.get() != forgottenBefore) {
                    slots.invalidate(key); // The block may belong to the forgotten object
                }
                permits.release();
            }

            @Override
            public void failed(Throwable failure, Void nothing) {
                giveUp(failure);
            }
        });
    }

    /** Disables the cache and frees the disk's space. */
    private synchronized void giveUp(Throwable failure) {
        if (givenUp) {
            return;
        }
        givenUp = true;
        LOG.warn("The disk block cache is disabled until the next start, because its disk fails", failure);
        slots.invalidateAll();
        try {
            close();
        } catch (IOException e) {
            LOG.warn("Cannot close the file of the disk block cache: its space becomes free when the process ends", e);
        }
    }

    /** Drops the blocks of an object. */
    void forget(String location) {
        forgotten.incrementAndGet();
        slots.asMap().keySet().removeIf(key -> key.location().equals(location));
    }

    /**
     * The number of calls of {@link #forget}: a block that was found before a call may belong to the forgotten object.
     */
    long forgotten() {
        return forgotten.get();
    }

    /** Hits, misses and evictions since the start. */
    Map<String, Long> counts() {
        return CacheCounts.of(slots.stats());
    }

    @Override
    public void close() throws IOException {
        givenUp = true;
        try (reads;
                writes) {
            slots.invalidateAll();
        }
    }
}
