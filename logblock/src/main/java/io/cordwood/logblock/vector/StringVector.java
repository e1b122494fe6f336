package io.cordwood.logblock.vector;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * A vector of VARCHAR values, plain or by dictionary. The value at a null position is undefined.
 *
 * <p>Slot {@code s} holds the UTF-8 bytes {@code bytes[offsets[s] .. offsets[s + 1])}. A plain vector has an empty
 * {@code ids} and position = slot; a dictionary vector's position {@code i} has slot {@code ids[i]}.
 *
 * @param bytes the slots' bytes, one after the other
 * @param offsets start of each slot; one more entry than slots
 * @param ids slot of each position, or empty
 * @param length number of positions
 * @param nulls the null positions
 */
public record StringVector(byte[] bytes, int[] offsets, int[] ids, int length, NullMask nulls) implements Vector {
    private static final int[] PLAIN = new int[0];

    public static StringVector plain(byte[] bytes, int[] offsets, int length, NullMask nulls) {
        return new StringVector(bytes, offsets, PLAIN, length, nulls);
    }

    /** A plain vector of these values; {@code null} is allowed. For tests and small inputs. */
    public static StringVector of(String... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int[] offsets = new int[values.length + 1];
        NullMask nulls = new NullMask(values.length);
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                nulls.set(i);
            } else {
                bytes.writeBytes(values[i].getBytes(UTF_8));
            }
            offsets[i + 1] = bytes.size();
        }
        return plain(bytes.toByteArray(), offsets, values.length, nulls);
    }

    public boolean isDictionary() {
        return ids.length != 0;
    }

    /** The slot of a position that is not null. */
    public int slot(int position) {
        return ids.length == 0 ? position : ids[position];
    }

    /** The value at a position that is not null. */
    public String string(int position) {
        return slotString(slot(position));
    }

    /** The value in a slot. */
    public String slotString(int slot) {
        return new String(bytes, offsets[slot], offsets[slot + 1] - offsets[slot], UTF_8);
    }
}
