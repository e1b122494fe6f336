package io.cordwood.hot.fetch;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The unpacked sizes of a batch's snappy blocks. The library unpacks each block as a whole, and allocates as much
 * memory as the block declares. Stateless.
 */
final class SnappyBlocks {
    /** Magic bytes of a stream of blocks; other data is a single block. */
    private static final byte[] MAGIC = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};

    private static final int HEADER_BYTES = 16;
    private static final int BITS = 7;

    private SnappyBlocks() {}

    /** Unpacked bytes of the largest block; more than any block can have if the sizes cannot be read. */
    static long largest(ByteBuffer packed) {
        if (!beginsWithMagic(packed)) {
            return unpacked(packed, packed.position());
        }
        long largest = 0;
        int at = packed.position();
        while (at < packed.limit()) {
            if (beginsWithMagic(packed.duplicate().position(at))) {
                at += HEADER_BYTES;
                continue;
            }
            if (packed.limit() - at <= Integer.BYTES) {
                return Long.MAX_VALUE;
            }
            int size = packed.getInt(at);
            at += Integer.BYTES;
            if (size <= 0 || size > packed.limit() - at) {
                return Long.MAX_VALUE;
            }
            largest = Math.max(largest, unpacked(packed, at));
            at += size;
        }
        return largest;
    }

    private static boolean beginsWithMagic(ByteBuffer packed) {
        if (packed.remaining() < HEADER_BYTES) {
            return false;
        }
        byte[] beginning = new byte[MAGIC.length];
        packed.duplicate().get(beginning);
        return Arrays.equals(beginning, MAGIC);
    }

    /** A block begins with its length: seven bits a byte, the lowest first. */
    private static long unpacked(ByteBuffer packed, int at) {
        long length = 0;
        for (int i = 0; i < RecordLimits.MAX_VARINT_BYTES && at + i < packed.limit(); i++) {
            byte next = packed.get(at + i);
            length |= (long) (next & 0x7F) << (BITS * i);
            if (next >= 0) {
                return length;
            }
        }
        return Long.MAX_VALUE;
    }
}
