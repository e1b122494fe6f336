package io.cordwood.record.assemble;

import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.record.buffer.TextLane;
import java.util.Arrays;

/** Creates dictionary vectors that own their slots and have no unused ones. Stateless. */
final class Dictionaries {
    private Dictionaries() {}

    /** A dictionary vector over the slots of a lane. */
    static StringVector compact(TextLane lane, int[] ids, int length, NullMask nulls) {
        int[] ends = new int[lane.slots() + 1];
        for (int slot = 0; slot < lane.slots(); slot++) {
            ends[slot + 1] = lane.slotEnd(slot);
        }
        return compact(lane.bytes(), ends, ids, length, nulls);
    }

    /** A dictionary vector over slots in a vector's form; {@code ids} becomes part of it. */
    static StringVector compact(byte[] bytes, int[] offsets, int[] ids, int length, NullMask nulls) {
        int slots = offsets.length - 1;
        int[] newIds = new int[slots];
        for (int i = 0; i < length; i++) {
            if (!nulls.isNull(i)) {
                newIds[ids[i]] = 1;
            }
        }
        int used = 0;
        int size = 0;
        for (int slot = 0; slot < slots; slot++) {
            if (newIds[slot] != 0) {
                used++;
                size += offsets[slot + 1] - offsets[slot];
            }
        }
        if (used == slots) {
            return new StringVector(Arrays.copyOf(bytes, size), offsets, ids, length, nulls);
        }
        byte[] newBytes = new byte[size];
        int[] newOffsets = new int[used + 1];
        int next = 0;
        for (int slot = 0; slot < slots; slot++) {
            if (newIds[slot] != 0) {
                int slotSize = offsets[slot + 1] - offsets[slot];
                System.arraycopy(bytes, offsets[slot], newBytes, newOffsets[next], slotSize);
                newOffsets[next + 1] = newOffsets[next] + slotSize;
                newIds[slot] = next++;
            }
        }
        for (int i = 0; i < length; i++) {
            ids[i] = nulls.isNull(i) ? 0 : newIds[ids[i]];
        }
        return new StringVector(newBytes, newOffsets, ids, length, nulls);
    }
}
