package io.cordwood.logblock.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A fast hash of bytes for tables in memory. It is never stored, because each process has another seed, which makes it
 * hard to send values that collide. Stateless.
 */
public final class Hashing {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final long SEED = new SecureRandom().nextLong();

    private Hashing() {}

    /** The hash of {@code bytes[from .. to)}. */
    public static int hash(byte[] bytes, int from, int to) {
        int length = to - from;
        long hash = SEED ^ length;
        if (length >= 8) {
            for (int i = from; i < to - 8; i += 8) {
                hash = mix(hash ^ (long) LONG.get(bytes, i));
            }
            hash = mix(hash ^ (long) LONG.get(bytes, to - 8));
        } else if (length >= 4) {
            long low = (int) INT.get(bytes, from);
            long high = (int) INT.get(bytes, to - 4);
            hash = mix(hash ^ (high << 32 ^ low));
        } else {
            long word = 0;
            for (int i = from; i < to; i++) {
                word = word << 8 | (bytes[i] & 0xFF);
            }
            hash = mix(hash ^ word);
        }
        return (int) (hash ^ hash >>> 32);
    }

    /** Combines both halves of the product, so that each bit of a word affects bits of all positions. */
    private static long mix(long word) {
        return word * MULTIPLIER ^ Math.unsignedMultiplyHigh(word, MULTIPLIER);
    }
}
