package io.cordwood.record.buffer;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.parquet.Zstd;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes the content of a chunk and wraps it: magic {@code CRB}, version, CRC-32C of everything else, length of the
 * content, zstd frame. Integers are little-endian. Not thread-safe: a thread must finish one writer before it creates
 * the next.
 */
public final class ChunkWriter {
    static final byte[] MAGIC = {'C', 'R', 'B'};
    static final byte VERSION = 1;
    /** Magic, version, checksum, length of the content. */
    public static final int HEADER_BYTES = 3 + 1 + 4 + 4;

    private static final int CHECKSUM_AT = 4;
    private static final int LEVEL = 1;
    /** Contents up to this size use a buffer of the thread: a checkpoint writes a chunk for each tenant. */
    static final int KEPT_BYTES = 1 << 20;

    private static final ThreadLocal<Memory> MEMORY = ThreadLocal.withInitial(Memory::new);

    private final Memory memory = MEMORY.get();
    private byte[] content = memory.content;
    private ByteBuffer buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);

    /** The thread's buffers for contents and for compressed contents. */
    private static final class Memory {
        private byte[] content = new byte[4096];
        private final ByteSink chunk = new ByteSink(4096);
    }

    byte[] finish() {
        int length = buffer.position();
        ByteSink out = length <= KEPT_BYTES ? memory.chunk : new ByteSink(HEADER_BYTES);
        out.clear();
        out.write(MAGIC, 0, MAGIC.length);
        out.write(VERSION);
        out.writeInt(0);
        out.writeInt(length);
        Zstd.compress(content, 0, length, LEVEL, out);
        byte[] chunk = out.toByteArray();
        ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).putInt(CHECKSUM_AT, checksum(chunk));
        return chunk;
    }

    /** Checksum of all bytes except its own. */
    public static int checksum(byte[] chunk) {
        CRC32C crc = new CRC32C();
        crc.update(chunk, 0, CHECKSUM_AT);
        crc.update(chunk, CHECKSUM_AT + 4, chunk.length - CHECKSUM_AT - 4);
        return (int) crc.getValue();
    }

    void flag(boolean value) {
        reserve(1).put((byte) (value ? 1 : 0));
    }

    void unsigned(int value) {
        reserve(4).putInt(value);
    }

    void longs(long[] values, int count) {
        ByteBuffer out = reserve(8L * count);
        for (int i = 0; i < count; i++) {
            out.putLong(values[i]);
        }
    }

    /** Values that mostly increase a little, as differences. */
    void ascending(long[] values, int count) {
        ByteBuffer out = reserve(8L * count);
        long previous = 0;
        for (int i = 0; i < count; i++) {
            out.putLong(values[i] - previous);
            previous = values[i];
        }
    }

    void ints(int[] values, int count) {
        ByteBuffer out = reserve(4L * count);
        for (int i = 0; i < count; i++) {
            out.putInt(values[i]);
        }
    }

    /** Numbers below {@code bound}, in as few whole bytes as they need. */
    void ids(int[] values, int count, int bound) {
        int width = idWidth(bound);
        ByteBuffer out = reserve((long) width * count);
        for (int i = 0; i < count; i++) {
            switch (width) {
                case 1 -> out.put((byte) values[i]);
                case 2 -> out.putShort((short) values[i]);
                default -> out.putInt(values[i]);
            }
        }
    }

    static int idWidth(int bound) {
        return bound <= 1 << 8 ? 1 : bound <= 1 << 16 ? 2 : 4;
    }

    /** Ends of slots, as their lengths. */
    void lengths(int[] ends, int count) {
        ByteBuffer out = reserve(4L * count);
        int previous = 0;
        for (int i = 0; i < count; i++) {
            out.putInt(ends[i] - previous);
            previous = ends[i];
        }
    }

    void bytes(byte[] values, int count) {
        reserve(count).put(values, 0, count);
    }

    private ByteBuffer reserve(long count) {
        if (buffer.remaining() < count) {
            long needed = Math.max(buffer.position() + count, 2L * buffer.capacity());
            if (buffer.position() + count > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException("A chunk cannot hold more than 2 GB; flush the buffer earlier");
            }
            content = Arrays.copyOf(content, (int) Math.min(needed, Integer.MAX_VALUE - 8));
            buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).position(buffer.position());
            if (content.length <= KEPT_BYTES) {
                memory.content = content;
            }
        }
        return buffer;
    }
}
