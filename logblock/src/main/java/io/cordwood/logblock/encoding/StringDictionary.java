package io.cordwood.logblock.encoding;

import io.cordwood.logblock.vector.StringVector;
import java.util.Arrays;
import java.util.Optional;

/** The distinct values of a vector in the order of their bytes, and the id of each position. Immutable once built. */
public final class StringDictionary {
    private static final int MAX_SIZE = 1 << 16;
    private static final int MAX_BYTES = 1 << 20;
    private static final int SAMPLE = 1024;

    private final StringVector vector;
    /** The vector's slot of each id. */
    private final int[] slots;

    private final int[] ids;

    private StringDictionary(StringVector vector, int[] slots, int[] ids) {
        this.vector = vector;
        this.slots = slots;
        this.ids = ids;
    }

    /** Builds a dictionary of the values; empty if too many values differ for it to pay off. */
    public static Optional<StringDictionary> build(StringVector vector) {
        Builder builder = new Builder(vector);
        return (vector.isDictionary() ? builder.fromSlots() : builder.fromValues()).map(StringDictionary::sorted);
    }

    /** Converts ids in order of first appearance to ids in order of value. */
    private StringDictionary sorted() {
        Integer[] order = new Integer[slots.length];
        Arrays.setAll(order, id -> id);
        byte[] bytes = vector.bytes();
        int[] offsets = vector.offsets();
        Arrays.sort(
                order,
                (a, b) -> Arrays.compareUnsigned(
                        bytes,
                        offsets[slots[a]],
                        offsets[slots[a] + 1],
                        bytes,
                        offsets[slots[b]],
                        offsets[slots[b] + 1]));
        int[] sortedSlots = new int[slots.length];
        int[] rank = new int[slots.length];
        for (int i = 0; i < order.length; i++) {
            sortedSlots[i] = slots[order[i]];
            rank[order[i]] = i;
        }
        for (int i = 0; i < ids.length; i++) {
            if (!vector.isNull(i)) {
                ids[i] = rank[ids[i]];
            }
        }
        return new StringDictionary(vector, sortedSlots, ids);
    }

    public int size() {
        return slots.length;
    }

    /** Id of a position that is not null. */
    public int id(int position) {
        return ids[position];
    }

    public int[] ids() {
        return ids;
    }

    public byte[] bytes() {
        return vector.bytes();
    }

    /** The start of the value with this id in {@link #bytes()}. */
    public int start(int id) {
        return vector.offsets()[slots[id]];
    }

    public int end(int id) {
        return vector.offsets()[slots[id] + 1];
    }

    public byte[] value(int id) {
        return Arrays.copyOfRange(vector.bytes(), start(id), end(id));
    }

    public byte[] plain() {
        ByteSink out = new ByteSink(1024);
        for (int id = 0; id < slots.length; id++) {
            int length = end(id) - start(id);
            out.writeInt(length);
            out.write(vector.bytes(), start(id), length);
        }
        return out.toByteArray();
    }

    /** Finds the distinct values by hashing. */
    private static final class Builder {
        private final StringVector vector;
        private int[] slots = new int[256];
        private int[] table = new int[1024];
        private int size;
        private long byteCount;

        Builder(StringVector vector) {
            this.vector = vector;
        }

        /** Builds from the vector's dictionary, which may have unused or equal slots. */
        Optional<StringDictionary> fromSlots() {
            int[] idOfSlot = new int[vector.offsets().length - 1];
            Arrays.fill(idOfSlot, -1);
            int[] ids = new int[vector.length()];
            for (int i = 0; i < ids.length; i++) {
                if (vector.isNull(i)) {
                    continue;
                }
                int slot = vector.slot(i);
                if (idOfSlot[slot] < 0) {
                    idOfSlot[slot] = id(slot);
                    if (tooLarge()) {
                        return Optional.empty();
                    }
                }
                ids[i] = idOfSlot[slot];
            }
            return size == 0 ? Optional.empty() : Optional.of(finish(ids));
        }

        Optional<StringDictionary> fromValues() {
            // For most columns, a sample shows that a dictionary does not pay off.
            int[] ids = new int[Math.min(vector.length(), SAMPLE)];
            int seen = 0;
            for (int i = 0; i < vector.length(); i++) {
                if (i == SAMPLE) {
                    ids = Arrays.copyOf(ids, vector.length());
                }
                if (vector.isNull(i)) {
                    continue;
                }
                ids[i] = id(i);
                seen++;
                if (tooLarge() || seen == SAMPLE && size > SAMPLE * 9 / 10) {
                    return Optional.empty();
                }
            }
            return seen > 0 && size <= seen / 2 + 1 ? Optional.of(finish(ids)) : Optional.empty();
        }

        private StringDictionary finish(int[] ids) {
            return new StringDictionary(vector, Arrays.copyOf(slots, size), ids);
        }

        private boolean tooLarge() {
            return size > MAX_SIZE || byteCount > MAX_BYTES;
        }

        private int id(int slot) {
            int from = vector.offsets()[slot];
            int to = vector.offsets()[slot + 1];
            int at = place(from, to);
            while (table[at] != 0) {
                int other = slots[table[at] - 1];
                if (Arrays.equals(
                        vector.bytes(),
                        from,
                        to,
                        vector.bytes(),
                        vector.offsets()[other],
                        vector.offsets()[other + 1])) {
                    return table[at] - 1;
                }
                at = (at + 1) & (table.length - 1);
            }
            if (size == slots.length) {
                slots = Arrays.copyOf(slots, 2 * size);
                rehash();
                return id(slot);
            }
            slots[size] = slot;
            table[at] = ++size;
            byteCount += to - from;
            return size - 1;
        }

        private void rehash() {
            table = new int[4 * slots.length];
            for (int id = 0; id < size; id++) {
                int at = place(vector.offsets()[slots[id]], vector.offsets()[slots[id] + 1]);
                while (table[at] != 0) {
                    at = (at + 1) & (table.length - 1);
                }
                table[at] = id + 1;
            }
        }

        private int place(int from, int to) {
            return Hashing.hash(vector.bytes(), from, to) & (table.length - 1);
        }
    }
}
