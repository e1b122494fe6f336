package io.cordwood.logblock.encoding;

import java.util.Arrays;

/** Parquet's encodings DELTA_BINARY_PACKED and DELTA_LENGTH_BYTE_ARRAY. Stateless. */
public final class DeltaEncoding {
    private static final int BLOCK = 128;
    private static final int MINI_BLOCKS = 4;
    private static final int MINI_BLOCK = BLOCK / MINI_BLOCKS;

    private DeltaEncoding() {}

    public static void encode(long[] values, int from, int count, ByteSink out) {
        out.writeVarint(BLOCK);
        out.writeVarint(MINI_BLOCKS);
        out.writeVarint(count);
        out.writeZigZag(count == 0 ? 0 : values[from]);
        long[] deltas = new long[BLOCK];
        for (int i = 1; i < count; i += BLOCK) {
            int size = Math.min(BLOCK, count - i);
            long min = Long.MAX_VALUE;
            for (int j = 0; j < size; j++) {
                deltas[j] = values[from + i + j] - values[from + i + j - 1];
                min = Math.min(min, deltas[j]);
            }
            for (int j = 0; j < BLOCK; j++) {
                deltas[j] = j < size ? deltas[j] - min : 0;
            }
            writeBlock(min, deltas, size, out);
        }
    }

    private static void writeBlock(long min, long[] deltas, int size, ByteSink out) {
        out.writeZigZag(min);
        int widthsAt = out.size();
        out.ensure(MINI_BLOCKS);
        out.advance(MINI_BLOCKS);
        for (int m = 0; m < MINI_BLOCKS; m++) {
            long all = 0;
            for (int j = 0; j < MINI_BLOCK; j++) {
                all |= deltas[m * MINI_BLOCK + j];
            }
            int width = 64 - Long.numberOfLeadingZeros(all);
            boolean used = m * MINI_BLOCK < size;
            out.bytes()[widthsAt + m] = (byte) (used ? width : 0);
            if (used) {
                pack(deltas, m * MINI_BLOCK, width, out);
            }
        }
    }

    private static void pack(long[] values, int from, int width, ByteSink out) {
        int start = out.size();
        int byteCount = width * MINI_BLOCK / 8;
        out.ensure(byteCount + 8);
        byte[] bytes = out.bytes();
        Arrays.fill(bytes, start, start + byteCount, (byte) 0);
        long bit = 0;
        for (int i = 0; i < MINI_BLOCK; i++, bit += width) {
            long value = values[from + i];
            int at = start + (int) (bit >>> 3);
            int shift = (int) (bit & 7);
            int left = width;
            bytes[at] |= (byte) (value << shift);
            int written = 8 - shift;
            while (written < left) {
                bytes[++at] |= (byte) (value >>> written);
                written += 8;
            }
        }
        out.advance(byteCount);
    }

    /** Decodes the values that the header announces, which must be {@code count}. */
    public static void decode(ByteSource in, long[] out, int count) {
        int block = in.readVarint32();
        int miniBlocks = in.readVarint32();
        int total = in.readVarint32();
        long value = in.readZigZag();
        if (total != count) {
            throw new MalformedPageException("%d values where %d were expected".formatted(total, count));
        }
        if (miniBlocks == 0
                || block == 0
                || block % miniBlocks != 0
                || block / miniBlocks % 32 != 0
                || block > 1 << 16) {
            throw new MalformedPageException("delta blocks of %d in %d parts".formatted(block, miniBlocks));
        }
        int miniBlock = block / miniBlocks;
        long[] deltas = new long[miniBlock];
        int[] widths = new int[miniBlocks];
        int done = 0;
        if (count > 0) {
            out[done++] = value;
        }
        while (done < count) {
            long min = in.readZigZag();
            for (int m = 0; m < miniBlocks; m++) {
                widths[m] = in.readByte();
            }
            for (int m = 0; m < miniBlocks && done < count; m++) {
                if (widths[m] > 64) {
                    throw new MalformedPageException("bit width %d".formatted(widths[m]));
                }
                in.unpack(widths[m], deltas, 0, miniBlock);
                int take = Math.min(miniBlock, count - done);
                for (int j = 0; j < take; j++) {
                    value += min + deltas[j];
                    out[done++] = value;
                }
            }
        }
    }
}
