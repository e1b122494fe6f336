package io.cordwood.logblock;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Column blocks that are decompressed and decoded, shared by all LogBlocks that were opened with it. Bounded in bytes.
 * One that is asked for once does not drive out one that is asked for often (TinyLFU), so that a large scan does not
 * flush the cache. Thread-safe.
 */
public final class DecodedCache {
    /** Keeps nothing. */
    public static final DecodedCache NONE = new DecodedCache(0);

    /** About what an entry takes besides its values. */
    static final int ENTRY_BYTES = 200;

    private final long maxBytes;
    private final FrequencySketch frequencies;
    private final AtomicLong files = new AtomicLong();
    /** The one used longest ago first. */
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private long hits;
    private long misses;
    private long evictions;

    /** @param file each open LogBlock has its own number, so that nothing outlives it that may be wrong */
    private record Key(long file, int fieldId, int page) {}

    private record Entry(Vector values, long bytes) {}

    /** How often column blocks were there, how often not, and how many had to go. */
    public record Counts(long hits, long misses, long evictions) {}

    public DecodedCache(long maxBytes) {
        this.maxBytes = maxBytes;
        this.frequencies = FrequencySketch.of(maxBytes / FrequencySketch.BYTES_EACH);
    }

    /** The part of a LogBlock that is opened now. */
    public OfFile open() {
        return new OfFile(files.incrementAndGet());
    }

    /** Column blocks of one open LogBlock. Thread-safe. */
    public final class OfFile {
        private final long number;

        private OfFile(long number) {
            this.number = number;
        }

        /** The values of a column block, not to be changed. */
        public Optional<Vector> find(int fieldId, int page) {
            return maxBytes == 0 ? Optional.empty() : DecodedCache.this.find(new Key(number, fieldId, page));
        }

        /**
         * Offers a column block that was not found.
         *
         * @return whether it was taken: then nobody may write to its values any more
         */
        public boolean offer(int fieldId, int page, Vector values) {
            return maxBytes > 0
                    && DecodedCache.this.offer(
                            new Key(number, fieldId, page),
                            new Entry(values, Vectors.retainedBytes(values) + ENTRY_BYTES));
        }
    }

    private synchronized Optional<Vector> find(Key key) {
        frequencies.add(key.hashCode());
        Entry found = entries.get(key);
        if (found == null) {
            misses++;
            return Optional.empty();
        }
        hits++;
        return Optional.of(found.values());
    }

    private synchronized boolean offer(Key key, Entry entry) {
        if (entries.containsKey(key)) {
            return false;
        }
        Optional<List<Key>> victims = victims(key, entry.bytes());
        if (victims.isEmpty()) {
            return false;
        }
        for (Key victim : victims.get()) {
            bytes -= entries.remove(victim).bytes();
            evictions++;
        }
        entries.put(key, entry);
        bytes += entry.bytes();
        return true;
    }

    /** What would have to go to make room; empty if some of it is asked for as often. */
    private Optional<List<Key>> victims(Key key, long needed) {
        List<Key> victims = new ArrayList<>();
        long free = maxBytes - bytes;
        int frequency = frequencies.of(key.hashCode());
        for (Map.Entry<Key, Entry> oldest : entries.entrySet()) {
            if (free >= needed) {
                break;
            }
            if (frequencies.of(oldest.getKey().hashCode()) >= frequency) {
                return Optional.empty();
            }
            victims.add(oldest.getKey());
            free += oldest.getValue().bytes();
        }
        return free >= needed ? Optional.of(victims) : Optional.empty();
    }

    /** Bytes of what it holds. */
    public synchronized long retainedBytes() {
        return bytes;
    }

    /** Since the start. */
    public synchronized Counts counts() {
        return new Counts(hits, misses, evictions);
    }
}
