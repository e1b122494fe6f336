package io.cordwood.logblock.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** XXH64 with seed 0. Stateless. */
public final class XxHash64 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;

    private XxHash64() {}

    public static long hash(byte[] bytes, int from, int length) {
        int p = from;
        int end = from + length;
        long hash;
        if (length >= 32) {
            long v1 = 0x60EA27EEADC0B5D6L; // P1 + P2
            long v2 = P2;
            long v3 = 0;
            long v4 = 0x61C8864E7A143579L; // -P1
            for (; p <= end - 32; p += 32) {
                v1 = round(v1, (long) LONGS.get(bytes, p));
                v2 = round(v2, (long) LONGS.get(bytes, p + 8));
                v3 = round(v3, (long) LONGS.get(bytes, p + 16));
                v4 = round(v4, (long) LONGS.get(bytes, p + 24));
            }
            hash = Long.rotateLeft(v1, 1) + Long.rotateLeft(v2, 7) + Long.rotateLeft(v3, 12) + Long.rotateLeft(v4, 18);
            hash = merge(merge(merge(merge(hash, v1), v2), v3), v4);
        } else {
            hash = P5;
        }
        hash += length;
        for (; p <= end - 8; p += 8) {
            hash = Long.rotateLeft(hash ^ round(0, (long) LONGS.get(bytes, p)), 27) * P1 + P4;
        }
        if (p <= end - 4) {
            hash = Long.rotateLeft(hash ^ ((int) INTS.get(bytes, p) & 0xFFFFFFFFL) * P1, 23) * P2 + P3;
            p += 4;
        }
        for (; p < end; p++) {
            hash = Long.rotateLeft(hash ^ (bytes[p] & 0xFF) * P5, 11) * P1;
        }
        hash = (hash ^ hash >>> 33) * P2;
        hash = (hash ^ hash >>> 29) * P3;
        return hash ^ hash >>> 32;
    }

    private static long round(long accumulator, long input) {
        return Long.rotateLeft(accumulator + input * P2, 31) * P1;
    }

    private static long merge(long hash, long value) {
        return (hash ^ round(0, value)) * P1 + P4;
    }
}
