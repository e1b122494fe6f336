package io.cordwood.query.pattern;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A hash table by signature that makes no object for a signature it has. Not thread-safe.
 *
 * @param <V> the values
 */
final class SignatureTable<V> {
    private static final int MIN_CAPACITY = 256;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** A signature with its value. */
    private record Entry<V>(long hash, byte[] signature, V value) {}

    private List<Entry<V>> entries = new ArrayList<>();
    /** Number of an entry plus one, or 0, by open addressing. */
    private int[] slots = new int[MIN_CAPACITY];

    /** A hash of 64 well-mixed bits. */
    static long hash(byte[] bytes, int length) {
        long hash = length * MULTIPLIER;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < length; at++) {
            rest = rest << Byte.SIZE | bytes[at] & 0xFF;
        }
        return mix(mix(hash ^ rest));
    }

    static long mix(long value) {
        long mixed = value * MULTIPLIER;
        return mixed ^ mixed >>> 32;
    }

    /**
     * The value of the signature {@code bytes[0 .. length)}.
     *
     * @param hash its {@link #hash}
     * @param absent makes the value of a new signature
     */
    V get(byte[] bytes, int length, long hash, Function<byte[], V> absent) {
        int mask = slots.length - 1;
        int slot = (int) hash & mask;
        for (; slots[slot] != 0; slot = slot + 1 & mask) {
            Entry<V> entry = entries.get(slots[slot] - 1);
            if (entry.hash == hash && Arrays.equals(entry.signature, 0, entry.signature.length, bytes, 0, length)) {
                return entry.value;
            }
        }
        byte[] signature = Arrays.copyOf(bytes, length);
        Entry<V> entry = new Entry<>(hash, signature, absent.apply(signature));
        entries.add(entry);
        slots[slot] = entries.size();
        if (entries.size() * 2 > slots.length) {
            grow();
        }
        return entry.value;
    }

    private void grow() {
        slots = new int[slots.length * 2];
        int mask = slots.length - 1;
        for (int i = 0; i < entries.size(); i++) {
            int slot = (int) entries.get(i).hash & mask;
            while (slots[slot] != 0) {
                slot = slot + 1 & mask;
            }
            slots[slot] = i + 1;
        }
    }

    /** All values, in the order in which they came. */
    List<V> values() {
        return entries.stream().map(Entry::value).toList();
    }

    void clear() {
        entries = new ArrayList<>();
        slots = new int[MIN_CAPACITY];
    }
}
