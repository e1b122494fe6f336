package io.cordwood.gateway.loki;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.send.Memory;
import io.cordwood.record.json.JsonComposer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/** The labels of a stream as members of JSON, which each of its rows copies. Not thread-safe. */
final class Labels {
    /** Names of what a row has beside labels. A label of that name gets a prefix. */
    private static final List<byte[]> TAKEN =
            List.of("ts".getBytes(US_ASCII), "message".getBytes(US_ASCII), "ts_nanos".getBytes(US_ASCII));

    private static final byte[] PREFIX = "label.".getBytes(US_ASCII);
    private static final int MAX_LABELS = 1000;
    /** Nobody can choose names that have the same hash. */
    private static final int HASH_FACTOR = new SecureRandom().nextInt() | 1;

    private final JsonComposer members;
    /** Ends of the names, which follow each other in {@link #names}. */
    private int[] nameEnds = new int[16];
    /** Ends of the members. */
    private int[] ends = new int[16];

    private boolean[] hidden = new boolean[16];
    /** A hash table of the labels by name: numbers from 1. A row may have a million names to look up. */
    private int[] slots = new int[0];

    private int mask;
    private int indexed;
    private byte[] names = new byte[256];
    private boolean isAnyHidden;
    private int count;

    /** @param memory counts them */
    Labels(Memory memory) {
        members = new JsonComposer(memory::grow);
    }

    void clear() {
        members.reset();
        count = 0;
        indexed = 0;
    }

    /**
     * Adds a label.
     *
     * @throws RefusedException if a stream has too many of them
     */
    void add(byte[] name, int nameLength, byte[] value, int valueLength) {
        if (count == MAX_LABELS) {
            throw RefusedException.malformed("The stream has more than %d labels".formatted(MAX_LABELS));
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            nameEnds = Arrays.copyOf(nameEnds, 2 * count);
            hidden = new boolean[2 * count];
        }
        int begin = count == 0 ? 0 : nameEnds[count - 1];
        if (names.length < begin + nameLength) {
            names = Arrays.copyOf(names, Math.max(begin + nameLength, 2 * names.length));
        }
        System.arraycopy(name, 0, names, begin, nameLength);
        nameEnds[count] = begin + nameLength;
        name(members, name, 0, nameLength);
        members.string(value, 0, valueLength);
        ends[count++] = members.length();
    }

    /** Writes the name of a label, or of structured metadata. */
    static void name(JsonComposer target, byte[] data, int from, int to) {
        for (byte[] taken : TAKEN) {
            if (isSame(data, from, to, taken, 0, taken.length)) {
                byte[] prefixed = Arrays.copyOf(PREFIX, PREFIX.length + to - from);
                System.arraycopy(data, from, prefixed, PREFIX.length, to - from);
                target.name(prefixed, 0, prefixed.length);
                return;
            }
        }
        target.name(data, from, to);
    }

    /** Whether two names are of one column. */
    private static boolean isSame(byte[] a, int from, int to, byte[] b, int otherFrom, int otherTo) {
        if (to - from != otherTo - otherFrom) {
            return false;
        }
        for (int i = 0; i < to - from; i++) {
            if (lower(a[from + i]) != lower(b[otherFrom + i])) {
                return false;
            }
        }
        return true;
    }

    private static int lower(byte c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }

    /** Leaves labels of this name out of the current row, if there are some. */
    void hide(byte[] data, int from, int to) {
        if (count == 0) {
            return;
        }
        if (indexed != count) {
            index();
        }
        int at = hash(data, from, to) & mask;
        while (slots[at] != 0) {
            int label = slots[at] - 1;
            if (isSame(data, from, to, names, label == 0 ? 0 : nameEnds[label - 1], nameEnds[label])) {
                if (hidden[label]) {
                    // With all others of its name
                    return;
                }
                hidden[label] = true;
                isAnyHidden = true;
            }
            at = at + 1 & mask;
        }
    }

    /** Enters all labels into the hash table, in order. */
    private void index() {
        int size = 4 * Integer.highestOneBit(count);
        if (slots.length < size) {
            slots = new int[size];
        }
        Arrays.fill(slots, 0, size, 0);
        mask = size - 1;
        int begin = 0;
        for (int i = 0; i < count; i++) {
            int at = hash(names, begin, nameEnds[i]) & mask;
            while (slots[at] != 0) {
                at = at + 1 & mask;
            }
            slots[at] = i + 1;
            begin = nameEnds[i];
        }
        indexed = count;
    }

    private static int hash(byte[] data, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = hash * HASH_FACTOR + lower(data[i]);
        }
        return hash ^ hash >>> 16;
    }

    /** Writes the labels of the current row. */
    void writeTo(JsonComposer target) {
        if (!isAnyHidden) {
            if (count > 0) {
                target.token(members.array(), 0, members.length());
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            if (!hidden[i]) {
                // A comma separates the members
                target.token(members.array(), i == 0 ? 0 : ends[i - 1] + 1, ends[i]);
            }
        }
        Arrays.fill(hidden, false);
        isAnyHidden = false;
    }
}
