package io.cordwood.gateway.loki;

import io.cordwood.gateway.refusal.RefusedException;
import java.io.IOException;
import java.util.function.IntConsumer;
import org.xerial.snappy.Snappy;

/** Unpacks blocks of Snappy, within bounds. Stateless. */
final class SnappyBlock {
    /** No block of Snappy unpacks to more times its size: a copy of 64 bytes takes three. */
    private static final int MAX_RATIO = 22;

    private SnappyBlock() {}

    /**
     * Unpacks a body. The length that it claims is checked before memory is taken for it.
     *
     * @param maxBytes of the unpacked body
     * @param grow takes what the body has more when it is unpacked; refuses what is too large
     * @throws RefusedException if it is no block of Snappy, or too large
     */
    static byte[] unpack(byte[] packed, int maxBytes, IntConsumer grow) {
        if (packed.length == 0) {
            return packed;
        }
        try {
            int length = Snappy.uncompressedLength(packed);
            if (length >= 0 && length <= maxBytes && length > (long) MAX_RATIO * packed.length) {
                throw RefusedException.malformed("The body is no block of Snappy: it is shorter than its length says");
            }
            // Negative: more than 2 GB
            grow.accept(length < 0 ? Integer.MAX_VALUE : Math.max(0, length - packed.length));
            byte[] body = new byte[length];
            Snappy.uncompress(packed, 0, packed.length, body, 0);
            return body;
        } catch (IOException e) {
            throw RefusedException.malformed("The body is no block of Snappy: " + e.getMessage());
        }
    }
}
