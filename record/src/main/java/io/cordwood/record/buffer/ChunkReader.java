package io.cordwood.record.buffer;

import io.cordwood.logblock.parquet.Zstd;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Unwraps and reads chunks of {@link ChunkWriter}. Not thread-safe: a thread must finish one reader before it creates
 * the next.
 */
final class ChunkReader {
    /** The thread's buffer for unwrapped chunks; readers copy all values out of it. */
    private static final ThreadLocal<byte[]> CONTENT = ThreadLocal.withInitial(() -> new byte[0]);

    private final ByteBuffer buffer;

    ChunkReader(byte[] chunk) {
        if (chunk.length < ChunkWriter.HEADER_BYTES) {
            throw new CorruptChunkException("A chunk of %d bytes is too short".formatted(chunk.length));
        }
        if (!Arrays.equals(chunk, 0, 3, ChunkWriter.MAGIC, 0, 3)) {
            throw new CorruptChunkException("The bytes do not begin with the magic of a chunk");
        }
        ByteBuffer header = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
        if (header.getInt(4) != ChunkWriter.checksum(chunk)) {
            throw new CorruptChunkException("The chunk is damaged: its checksum is wrong");
        }
        if (chunk[3] != ChunkWriter.VERSION) {
            throw new CorruptChunkException("The chunk has version %d, but this program only reads version %d"
                    .formatted(chunk[3], ChunkWriter.VERSION));
        }
        int length = header.getInt(8);
        byte[] content = content(length);
        if (!Zstd.decompress(
                chunk, ChunkWriter.HEADER_BYTES, chunk.length - ChunkWriter.HEADER_BYTES, content, length)) {
            throw new CorruptChunkException("The chunk is damaged: it cannot be decompressed");
        }
        this.buffer = ByteBuffer.wrap(content, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] content(int length) {
        byte[] content = CONTENT.get();
        if (content.length < length) {
            content = new byte[length];
            if (length <= ChunkWriter.KEPT_BYTES) {
                CONTENT.set(content);
            }
        }
        return content;
    }

    boolean flag() {
        return buffer.get() != 0;
    }

    /** A count, limited to a multiple of the remaining bytes. */
    int count(long bound) {
        int value = buffer.getInt();
        if (value < 0 || value > bound) {
            throw new CorruptChunkException("The chunk is damaged: it holds a count of " + value);
        }
        return value;
    }

    long[] longs(int count) {
        need(8L * count);
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = buffer.getLong();
        }
        return values;
    }

    long[] ascending(int count) {
        long[] values = longs(count);
        for (int i = 1; i < count; i++) {
            values[i] += values[i - 1];
        }
        return values;
    }

    int[] ints(int count) {
        need(4L * count);
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = buffer.getInt();
        }
        return values;
    }

    int[] ids(int count, int bound) {
        int width = ChunkWriter.idWidth(bound);
        need((long) width * count);
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = switch (width) {
                case 1 -> buffer.get() & 0xFF;
                case 2 -> buffer.getShort() & 0xFFFF;
                default -> buffer.getInt();
            };
        }
        return values;
    }

    int[] ends(int count) {
        int[] values = ints(count);
        for (int i = 1; i < count; i++) {
            values[i] += values[i - 1];
        }
        return values;
    }

    byte[] bytes(int count) {
        need(count);
        byte[] values = new byte[count];
        buffer.get(values);
        return values;
    }

    private void need(long count) {
        if (count < 0 || buffer.remaining() < count) {
            throw new CorruptChunkException("The chunk is damaged: it ends too early");
        }
    }
}
