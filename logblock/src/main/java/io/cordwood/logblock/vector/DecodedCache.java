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
 * Column blocks that are decompressed and decoded, shared by all LogBlocks that were opened with it. Bounded in bytes;
 * dictionaries are not among them: they belong to the open LogBlock, and whoever keeps those open weighs them. A block
 * that is asked for once does not drive out one that is asked for often (TinyLFU), so that a large scan does not flush
 * the cache. Thread-safe.
 *
 * <p>It is no Caffeine cache, which tells later what it did not take: whoever has decoded a block must know at once, to
 * decode the next one into the same memory. Fresh memory for each block of a large scan costs about as much as
 * decompressing.
 */
public final class DecodedCache {
    /** Keeps nothing. */
    public static final DecodedCache NONE = new DecodedCache(0);

    /** About what an entry takes besides its values. */
    static final int ENTRY_BYTES = 200;

    private final long maxBytes;
    private final FrequencySketch frequencies;
    /** The one used longest ago first. */
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long files;
    private long bytes;
    private long hits;
    private long misses;
    private long evictions;

    /** @param file each open LogBlock is one of its own, so that nothing outlives it that may be wrong */
    private record Key(OfFile file, int fieldId, int page) {
        long spread() {
            return DecodedCache.spread(file.number, fieldId, page);
        }

        @Override
        public int hashCode() {
            return (int) spread();
        }
    }

    /** A hash of its own for each: neighbouring pages of neighbouring columns are asked for together. */
    static long spread(long file, int fieldId, int page) {
        return FrequencySketch.mix(FrequencySketch.mix(FrequencySketch.mix(file) + fieldId) + page);
    }

    private record Entry(Vector values, long bytes) {}

    /** How often column blocks were there, how often not, and how many had to go. */
    public record Counts(long hits, long misses, long evictions) {}

    public DecodedCache(long maxBytes) {
        this.maxBytes = maxBytes;
        this.frequencies = FrequencySketch.of(maxBytes / FrequencySketch.BYTES_EACH);
    }

    /** The part of a LogBlock that is opened now. */
    public synchronized OfFile open() {
        return new OfFile(++files);
    }

    /** Column blocks of one open LogBlock. Thread-safe. */
    public final class OfFile {
        private final long number;
        /** Those of the entries; guarded by the cache. */
        private final Set<Key> keys = new HashSet<>();

        private boolean closed;

        private OfFile(long number) {
            this.number = number;
        }

        /** The values of a column block, not to be changed. */
        public Optional<Vector> find(int fieldId, int page) {
            return maxBytes == 0 ? Optional.empty() : DecodedCache.this.find(new Key(this, fieldId, page));
        }

        /**
         * Offers a column block that was not found.
         *
         * @return whether these very values were taken: then nobody may write to them any more. What lies in an array
         *     much larger than itself is copied, and stays the caller's
         */
        public boolean offer(int fieldId, int page, Vector values) {
            if (maxBytes == 0) {
                return false;
            }
            Vector exact = exact(values);
            Entry entry = new Entry(exact, Vectors.retainedBytes(exact) + ENTRY_BYTES);
            return DecodedCache.this.offer(new Key(this, fieldId, page), entry) && exact == values;
        }

        /** Drops all of them, and takes no more: a query may still read the LogBlock. */
        public void close() {
            DecodedCache.this.close(this);
        }
    }

    /** Text is decompressed into arrays that are used again, and may be larger than the page. */
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

    private synchronized Optional<Vector> find(Key key) {
        frequencies.add(key.spread());
        Entry found = entries.get(key);
        if (found == null) {
            misses++;
            return Optional.empty();
        }
        hits++;
        return Optional.of(found.values());
    }

    private synchronized boolean offer(Key key, Entry entry) {
        if (key.file().closed || entries.containsKey(key)) {
            return false;
        }
        Optional<List<Key>> victims = victims(key, entry.bytes());
        if (victims.isEmpty()) {
            return false;
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

    /** What would have to go to make room; empty if some of it is asked for as often. */
    private Optional<List<Key>> victims(Key key, long needed) {
        List<Key> victims = new ArrayList<>();
        long free = maxBytes - bytes;
        int frequency = frequencies.count(key.spread());
        for (Map.Entry<Key, Entry> oldest : entries.entrySet()) {
            if (free >= needed) {
                break;
            }
            if (frequencies.count(oldest.getKey().spread()) >= frequency) {
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
