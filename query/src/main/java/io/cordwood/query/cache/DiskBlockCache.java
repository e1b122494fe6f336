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
 * Blocks of objects that fell out of memory, on a local disk, so that they need not be read from object storage again.
 * One file of slots of one size, bounded in bytes; which block is in which slot is known in memory alone. The file has
 * no name, so that nothing is left of it when the process ends, however it ends. Thread-safe.
 *
 * <p>Nobody waits for a write, and a disk that fails makes queries slower, not wrong: the cache is given up.
 */
public final class DiskBlockCache implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskBlockCache.class);
    /** Blocks on their way to the disk, at most; when there are so many, others are let go. */
    private static final int MAX_WRITES = 1024;

    private static final int READ_THREADS = 8;

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
    private final Channel reads;
    private final Channel writes;
    private final Cache<BlockKey, Slot> slots;
    private final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger used = new AtomicInteger();
    private final Semaphore permits = new Semaphore(MAX_WRITES);
    private final AtomicLong forgotten = new AtomicLong();
    private volatile boolean givenUp;

    /** The file with threads of its own, so that reads do not stand in line behind writes. */
    private record Channel(AsynchronousFileChannel file, ExecutorService threads) implements Closeable {
        static Channel open(Path path, StandardOpenOption option, int threads) throws IOException {
            ExecutorService executor = Executors.newFixedThreadPool(
                    threads,
                    Thread.ofPlatform()
                            .daemon()
                            .name("cordwood-disk-cache-%s-".formatted(option), 0)
                            .factory());
            // Not a FileChannel: that is closed for all when a query's thread is interrupted
            return new Channel(AsynchronousFileChannel.open(path, Set.of(option), executor), executor);
        }

        @Override
        public void close() throws IOException {
            file.close();
            threads.shutdown();
        }
    }

    /**
     * Begins empty.
     *
     * @param directory is made if it is missing
     * @param maxBytes at most; a quarter of what is free on the disk if that is less
     * @throws IOException if the file cannot be made there
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

    /** Those of the blocks that are there. They are read in parallel. */
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
                // Else the slot may have been written anew meanwhile
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

    /** A block that is on its way from the disk into these bytes. */
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

    /** Returns before the block is written; until then it is not found. */
    void put(BlockKey key, byte[] block) {
        if (givenUp || slots.asMap().containsKey(key) || !permits.tryAcquire()) {
            return;
        }
        Integer number = free.poll();
        if (number == null) {
            number = used.getAndIncrement();
            if (number >= maxSlots) { // What is evicted is not free yet
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
                    slots.invalidate(key); // It may be of the object that was forgotten
                }
                permits.release();
            }

            @Override
            public void failed(Throwable failure, Void nothing) {
                giveUp(failure);
            }
        });
    }

    /** The disk's space is free again then. */
    private synchronized void giveUp(Throwable failure) {
        if (givenUp) {
            return;
        }
        givenUp = true;
        LOG.warn("The cache of blocks on disk is given up until the next start: its disk fails", failure);
        slots.invalidateAll();
        try {
            close();
        } catch (IOException e) {
            LOG.warn("The file of the cache of blocks cannot be closed: its space is free when the process ends", e);
        }
    }

    /** Drops what there is of an object. */
    void forget(String location) {
        forgotten.incrementAndGet();
        slots.asMap().keySet().removeIf(key -> key.location().equals(location));
    }

    /** How often an object was forgotten: what was found before may be of that one. */
    long forgotten() {
        return forgotten.get();
    }

    /** How often blocks were there, and how often not. */
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
