package io.cordwood.logblock.vector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cache of decoded column blocks, shared by all LogBlocks that were opened with it. Bounded in bytes, without
 * dictionaries: these belong to the open LogBlock, and the cache of open LogBlocks weighs them. A block that is
 * requested once does not evict one that is requested often (TinyLFU), so a large scan does not flush the cache.
 * Thread-safe.
 *
 * <p>A Caffeine cache would not do, because it reports rejected entries later. The reader must know at once whether a
 * block was taken, to decode the next block into the same memory otherwise. Fresh memory for each block of a large scan
 * costs about as much as decompressing.
 */
public final class DecodedCache {
    /** A cache that keeps nothing. */
    public static final DecodedCache NONE = new DecodedCache(0);

    /** The approximate memory of an entry besides its values. */
    static final int ENTRY_BYTES = 200;

    private final long maxBytes;
    private final FrequencySketch frequencies;
    /** The entries, least recently used first. */
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long files;
    private long bytes;
    private long hits;
    private long misses;
    private long evictions;

    /** @param file the open LogBlock; each has its own, so that no possibly wrong entry outlives it */
    private record Key(OfFile file, int fieldId, int page) {
        long spread() {
            return DecodedCache.spread(file.number, fieldId, page);
        }

        @Override
        public int hashCode() {
            return (int) spread();
        }
    }

    /** A well-mixed hash of a key, because neighbouring pages of neighbouring columns are requested together. */
    static long spread(long file, int fieldId, int page) {
        return FrequencySketch.mix(FrequencySketch.mix(FrequencySketch.mix(file) + fieldId) + page);
    }

    private record Entry(Vector values, long bytes) {}

    /** Hits, misses and evictions of column blocks. */
    public record Counts(long hits, long misses, long evictions) {}

    public DecodedCache(long maxBytes) {
        this.maxBytes = maxBytes;
        this.frequencies = FrequencySketch.of(maxBytes / FrequencySketch.BYTES_EACH);
    }

    /** Creates the part of a LogBlock that is being opened. */
    public synchronized OfFile open() {
        return new OfFile(++files);
    }

    /** The cached column blocks of one open LogBlock. Thread-safe. */
    public final class OfFile {
        private final long number;
        /** The keys of its entries; guarded by the cache. */
        private final Set<Key> keys = new HashSet<>();

        private boolean closed;

        private OfFile(long number) {
            this.number = number;
        }

        /**
         * The cached values of a column block, or of its first rows; the caller must not modify them.
         *
         * @param rows how many of its first rows are needed: fewer count as a miss
         */
        public Optional<Vector> find(int fieldId, int page, int rows) {
            return maxBytes == 0 ? Optional.empty() : DecodedCache.this.find(new Key(this, fieldId, page), rows);
        }

        /**
         * Offers a column block that was not found, or its first rows, which replace an entry of fewer rows.
         *
         * @return whether the cache keeps this vector: then it must no longer be modified. Values in an array much
         *     larger than themselves are copied, and the vector stays the caller's
         */
        public boolean offer(int fieldId, int page, Vector values) {
            if (maxBytes == 0) {
                return false;
            }
            Vector exact = exact(values);
            Entry entry = new Entry(exact, Vectors.retainedBytes(exact) + ENTRY_BYTES);
            return DecodedCache.this.offer(new Key(this, fieldId, page), entry) && exact == values;
        }

        /** Drops its column blocks, and accepts no more, because a query may still read the LogBlock. */
        public void close() {
            DecodedCache.this.close(this);
        }
    }

    /** Copies text out of its array, which is reused and may be larger than the page. */
    private static Vector exact(Vector values) {
        if (!(values instanceof StringVector text) || text.isDictionary()) {
            return values;
        }
        int from = text.offsets()[0];
        int to = text.offsets()[text.length()];
        if (4L * (to - from) >= 3L * text.bytes().length) {
            return values;
        }
        int[] offsets = new int[text.length() + 1];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = text.offsets()[i] - from;
        }
        return StringVector.plain(Arrays.copyOfRange(text.bytes(), from, to), offsets, text.length(), text.nulls());
    }

    private synchronized Optional<Vector> find(Key key, int rows) {
        frequencies.add(key.spread());
        Entry found = entries.get(key);
        if (found == null || found.values().length() < rows) {
            misses++;
        } else {
            hits++;
        }
        return Optional.ofNullable(found).map(Entry::values);
    }

    private synchronized boolean offer(Key key, Entry entry) {
        if (key.file().closed) {
            return false;
        }
        Entry known = entries.get(key);
        if (known != null && known.values().length() >= entry.values().length()) {
            return false;
        }
        Optional<List<Key>> victims = victims(key, entry.bytes() - (known == null ? 0 : known.bytes()));
        if (victims.isEmpty()) {
            return false;
        }
        if (known != null) {
            remove(key);
        }
        for (Key victim : victims.get()) {
            remove(victim);
            victim.file().keys.remove(victim);
            evictions++;
        }
        entries.put(key, entry);
        key.file().keys.add(key);
        bytes += entry.bytes();
        return true;
    }

    private void remove(Key key) {
        bytes -= entries.remove(key).bytes();
    }

    private synchronized void close(OfFile file) {
        file.closed = true;
        file.keys.forEach(this::remove);
        file.keys.clear();
    }

    /**
     * The entries to evict for a new one, besides one with the same key; empty if one of them is requested at least as
     * often as the new one.
     */
    private Optional<List<Key>> victims(Key key, long needed) {
        List<Key> victims = new ArrayList<>();
        long free = maxBytes - bytes;
        int frequency = frequencies.count(key.spread());
        for (Map.Entry<Key, Entry> oldest : entries.entrySet()) {
            if (free >= needed) {
                break;
            }
            if (oldest.getKey().equals(key)) {
                continue;
            }
            if (frequencies.count(oldest.getKey().spread()) >= frequency) {
                return Optional.empty();
            }
            victims.add(oldest.getKey());
            free += oldest.getValue().bytes();
        }
        return free >= needed ? Optional.of(victims) : Optional.empty();
    }

    /** The memory of the entries in bytes. */
    public synchronized long retainedBytes() {
        return bytes;
    }

    /** The counts since the start. */
    public synchronized Counts counts() {
        return new Counts(hits, misses, evictions);
    }
}
