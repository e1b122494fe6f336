package io.cordwood.record.assemble;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.record.buffer.MemoryMeter;
import io.cordwood.record.buffer.TextLane;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Collects the entries of the {@code attributes} column. Not thread-safe.
 *
 * <p>The entries of a row are sorted by key, so that they do not depend on the buffering of rows. A repeated key of a
 * row gets the suffix {@code #2}, {@code #3} and so on: first the value that a column refused, then later members of
 * the same name in the record's order.
 */
public final class Attributes {
    private final int rows;
    private final TextLane keys = TextLane.dictionary(new MemoryMeter());
    private final TextLane values = TextLane.plain(new MemoryMeter());
    private int[] positions = new int[64];
    private int[] counts = new int[0];

    Attributes(int rows) {
        this.rows = rows;
    }

    /** Adds an entry of the row at {@code position}. */
    void add(int position, byte[] key, byte[] source, int from, int to) {
        add(position, key, 0, key.length, source, from, to);
    }

    void add(int position, byte[] keySource, int keyFrom, int keyTo, byte[] source, int from, int to) {
        int index = values.size();
        if (index == positions.length) {
            positions = Arrays.copyOf(positions, index * 2);
        }
        if (counts.length == 0) {
            counts = new int[rows + 1];
        }
        positions[index] = position;
        counts[position]++;
        keys.add(keySource, keyFrom, keyTo);
        values.add(source, from, to);
    }

    MapVector toVector() {
        int entries = values.size();
        if (entries == 0) {
            StringVector none = StringVector.of();
            return new MapVector(new int[rows + 1], none, none, rows, NullMask.all(rows));
        }
        int[] offsets = new int[rows + 1];
        NullMask nulls = new NullMask(rows);
        for (int i = 0; i < rows; i++) {
            offsets[i + 1] = offsets[i] + counts[i];
            if (counts[i] == 0) {
                nulls.set(i);
            }
        }
        int[] at = Arrays.copyOf(offsets, rows);
        int[] order = new int[entries];
        for (int entry = 0; entry < entries; entry++) {
            order[at[positions[entry]]++] = entry;
        }
        int[] keySlots = new int[entries];
        int[] ranks = keyRanks();
        for (int i = 0; i < rows; i++) {
            finishRow(order, keySlots, offsets[i], offsets[i + 1], ranks);
        }
        return new MapVector(offsets, keyVector(keySlots), valueVector(order), rows, nulls);
    }

    /** By key slot: its rank among all keys in byte order. */
    private int[] keyRanks() {
        Integer[] slots = new Integer[keys.slots()];
        Arrays.setAll(slots, i -> i);
        Arrays.sort(
                slots,
                (a, b) -> Arrays.compareUnsigned(
                        keys.bytes(),
                        keys.slotStart(a),
                        keys.slotEnd(a),
                        keys.bytes(),
                        keys.slotStart(b),
                        keys.slotEnd(b)));
        int[] ranks = new int[slots.length];
        for (int rank = 0; rank < slots.length; rank++) {
            ranks[slots[rank]] = rank;
        }
        return ranks;
    }

    /** Sorts the entries of one row and makes their keys unique. */
    private void finishRow(int[] order, int[] keySlots, int from, int to, int[] ranks) {
        if (to - from > 1) {
            long[] sorted = new long[to - from];
            for (int i = from; i < to; i++) {
                // Entries of a row were added in ascending order.
                sorted[i - from] = (long) ranks[keys.slot(order[i])] << 32 | order[i];
            }
            Arrays.sort(sorted);
            for (int i = from; i < to; i++) {
                order[i] = (int) sorted[i - from];
            }
        }
        boolean repeated = false;
        for (int i = from; i < to; i++) {
            keySlots[i] = keys.slot(order[i]);
            repeated |= i > from && keySlots[i] == keySlots[i - 1];
        }
        if (repeated) {
            numberRepeated(keySlots, from, to);
        }
    }

    private void numberRepeated(int[] keySlots, int from, int to) {
        Set<String> taken = new HashSet<>();
        for (int i = from; i < to; i++) {
            taken.add(key(keySlots[i]));
        }
        int number = 1;
        String previous = null;
        for (int i = from; i < to; i++) {
            String key = key(keySlots[i]);
            if (!key.equals(previous)) {
                previous = key;
                number = 1;
                continue;
            }
            String numbered;
            do {
                number++;
                numbered = key + "#" + number;
            } while (!taken.add(numbered));
            byte[] bytes = numbered.getBytes(UTF_8);
            keySlots[i] = keys.add(bytes, 0, bytes.length);
        }
    }

    private String key(int slot) {
        int from = keys.slotStart(slot);
        return new String(keys.bytes(), from, keys.slotEnd(slot) - from, UTF_8);
    }

    private StringVector keyVector(int[] keySlots) {
        return Dictionaries.compact(keys, keySlots, keySlots.length, NullMask.none());
    }

    private StringVector valueVector(int[] order) {
        int[] offsets = new int[order.length + 1];
        int total = values.slotEnd(values.size() - 1);
        byte[] bytes = new byte[total];
        int at = 0;
        for (int i = 0; i < order.length; i++) {
            int from = values.slotStart(order[i]);
            int size = values.slotEnd(order[i]) - from;
            System.arraycopy(values.bytes(), from, bytes, at, size);
            at += size;
            offsets[i + 1] = at;
        }
        return StringVector.plain(bytes, offsets, order.length, NullMask.none());
    }
}
