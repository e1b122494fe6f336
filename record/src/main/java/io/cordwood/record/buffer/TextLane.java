package io.cordwood.record.buffer;

import io.cordwood.logblock.encoding.Hashing;
import java.util.Arrays;

/**
 * Text values by index, stored one by one or, while they repeat, once in a dictionary. Not thread-safe.
 *
 * <p>Slot {@code s} holds the bytes from the end of slot {@code s - 1} to its own end. In a dictionary, value {@code i}
 * has slot {@code ids[i]}; else it has slot {@code i}.
 */
public final class TextLane {
    /** A dictionary with more slots is dropped if its values seldom repeat. */
    private static final int TRIAL_SLOTS = 1024;

    private static final int MIN_TABLE = 16;
    private static final int[] NO_IDS = new int[0];

    private final MemoryMeter meter;
    private final boolean alwaysDictionary;

    private byte[] bytes = new byte[64];
    private int[] ends = new int[8];
    private int slots;
    private int values;

    private boolean dictionary;
    private int[] ids = NO_IDS;
    private int[] hashes = NO_IDS;
    private int[] table = NO_IDS;

    private TextLane(MemoryMeter meter, boolean dictionary, boolean alwaysDictionary) {
        this.meter = meter;
        this.dictionary = dictionary;
        this.alwaysDictionary = alwaysDictionary;
        meter.add(64 + 8 * Integer.BYTES);
    }

    /** Values that rarely repeat. */
    public static TextLane plain(MemoryMeter meter) {
        return new TextLane(meter, false, false);
    }

    /** Values that may repeat; the dictionary is dropped if they do not. */
    static TextLane adaptive(MemoryMeter meter) {
        return new TextLane(meter, true, false);
    }

    /** Values whose slots serve as their ids. */
    public static TextLane dictionary(MemoryMeter meter) {
        return new TextLane(meter, true, true);
    }

    public int size() {
        return values;
    }

    public boolean isDictionary() {
        return dictionary;
    }

    public int slots() {
        return slots;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int slot(int index) {
        return dictionary ? ids[index] : index;
    }

    public int slotStart(int slot) {
        return slot == 0 ? 0 : ends[slot - 1];
    }

    public int slotEnd(int slot) {
        return ends[slot];
    }

    /** Adds a value and returns its slot. */
    public int add(byte[] source, int from, int to) {
        if (!dictionary) {
            addSlot(source, from, to);
            return values++;
        }
        int slot = slotOf(source, from, to);
        if (dictionary) {
            if (values == ids.length) {
                ids = grownBy(ids, values);
            }
            ids[values] = slot;
        }
        values++;
        return slot;
    }

    /** Adds empty values until there are {@code size}. */
    void pad(int size) {
        while (values < size) {
            add(bytes, 0, 0);
        }
    }

    /** Removes the values from index {@code size} on; a dictionary keeps its slots. */
    void truncate(int size) {
        values = size;
        if (!dictionary) {
            slots = size;
        }
    }

    void clear() {
        values = 0;
        slots = 0;
        Arrays.fill(table, 0);
    }

    private int slotOf(byte[] source, int from, int to) {
        if (slots * 2 >= table.length) {
            rehash();
        }
        int hash = Hashing.hash(source, from, to);
        int mask = table.length - 1;
        int at = hash & mask;
        while (table[at] != 0) {
            int slot = table[at] - 1;
            if (hashes[slot] == hash && Arrays.equals(bytes, slotStart(slot), ends[slot], source, from, to)) {
                return slot;
            }
            at = (at + 1) & mask;
        }
        if (!alwaysDictionary && slots >= TRIAL_SLOTS && slots > values / 2) {
            giveUp();
            addSlot(source, from, to);
            return values;
        }
        addSlot(source, from, to);
        if (slots > hashes.length) {
            hashes = grownBy(hashes, slots);
        }
        hashes[slots - 1] = hash;
        table[at] = slots;
        return slots - 1;
    }

    private void rehash() {
        if (hashes.length < slots) {
            hashSlots();
        }
        int size = Math.max(MIN_TABLE, Integer.highestOneBit(Math.max(1, slots)) * 4);
        meter.add((long) (size - table.length) * Integer.BYTES);
        table = new int[size];
        for (int slot = 0; slot < slots; slot++) {
            int at = hashes[slot] & (size - 1);
            while (table[at] != 0) {
                at = (at + 1) & (size - 1);
            }
            table[at] = slot + 1;
        }
    }

    /** A lane read from a chunk, which hardly ever grows. */
    private void hashSlots() {
        meter.add((long) (slots - hashes.length) * Integer.BYTES);
        hashes = new int[slots];
        for (int slot = 0; slot < slots; slot++) {
            hashes[slot] = Hashing.hash(bytes, slotStart(slot), ends[slot]);
        }
    }

    /** Stores each value separately from now on. */
    private void giveUp() {
        meter.add(-(long) (bytes.length + (ends.length + ids.length + hashes.length + table.length) * Integer.BYTES));
        long length = 0;
        for (int i = 0; i < values; i++) {
            length += slotEnd(ids[i]) - slotStart(ids[i]);
        }
        byte[] newBytes = new byte[Math.toIntExact(Math.max(64, length + length / 2))];
        int[] newEnds = new int[values + values / 2 + 8];
        int at = 0;
        for (int i = 0; i < values; i++) {
            int slot = ids[i];
            int from = slotStart(slot);
            int size = ends[slot] - from;
            System.arraycopy(bytes, from, newBytes, at, size);
            at += size;
            newEnds[i] = at;
        }
        bytes = newBytes;
        ends = newEnds;
        slots = values;
        ids = NO_IDS;
        hashes = NO_IDS;
        table = NO_IDS;
        dictionary = false;
        meter.add(bytes.length + (long) ends.length * Integer.BYTES);
    }

    private void addSlot(byte[] source, int from, int to) {
        int size = to - from;
        int at = slots == 0 ? 0 : ends[slots - 1];
        if (bytes.length - at < size) {
            growBytes(at, size);
        }
        if (slots == ends.length) {
            ends = grownBy(ends, slots);
        }
        System.arraycopy(source, from, bytes, at, size);
        ends[slots++] = at + size;
    }

    private void growBytes(int used, int size) {
        long needed = Math.max((long) used + size, bytes.length + (bytes.length >> 1));
        if ((long) used + size > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("The buffer of a column is full at 2 GB; flush it earlier");
        }
        int capacity = (int) Math.min(needed, Integer.MAX_VALUE - 8);
        meter.add(capacity - bytes.length);
        bytes = Arrays.copyOf(bytes, capacity);
    }

    private int[] grownBy(int[] array, int used) {
        int[] grown = Arrays.copyOf(array, Math.max(8, used + (used >> 1)));
        meter.add((long) (grown.length - array.length) * Integer.BYTES);
        return grown;
    }

    void writeTo(ChunkWriter out) {
        out.flag(dictionary);
        out.unsigned(values);
        if (dictionary) {
            out.unsigned(slots);
            out.ids(ids, values, slots);
        }
        out.lengths(ends, slots);
        out.bytes(bytes, slots == 0 ? 0 : ends[slots - 1]);
    }

    /** Fills this new lane from the output of {@link #writeTo}. */
    void readFrom(ChunkReader in) {
        dictionary = in.flag();
        values = in.count(1L << 31);
        slots = values;
        if (dictionary) {
            slots = in.count(1L << 31);
            ids = in.ids(values, slots);
        }
        ends = in.ends(slots);
        bytes = in.bytes(slots == 0 ? 0 : ends[slots - 1]);
        meter.add(bytes.length + (long) (ends.length + ids.length) * Integer.BYTES);
    }
}
