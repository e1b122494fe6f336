package io.cordwood.logblock.encoding;

import java.io.OutputStream;
import java.util.Arrays;

/** A growing byte array with the little-endian writes that Parquet's encodings need. Not thread-safe. */
public final class ByteSink extends OutputStream {
    /** The longest array that every virtual machine can allocate. */
    private static final int MAX_SIZE = Integer.MAX_VALUE - 8;

    private byte[] bytes;
    private int size;

    public ByteSink(int capacity) {
        this.bytes = new byte[capacity];
    }

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /**
     * Reserves {@code count} bytes after {@link #size()}, which the caller fills through {@link #bytes()} and {@link
     * #advance}.
     */
    public void ensure(int count) {
        if (bytes.length - size < count) {
            long needed = (long) size + count;
            if (needed > MAX_SIZE) {
                throw new IllegalStateException("%d bytes do not fit into one array".formatted(needed));
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_SIZE, Math.max(needed, 2L * bytes.length)));
        }
    }

    public void advance(int count) {
        size += count;
    }

    @Override
    public void write(int b) {
        ensure(1);
        bytes[size++] = (byte) b;
    }

    @Override
    public void write(byte[] source, int from, int count) {
        ensure(count);
        System.arraycopy(source, from, bytes, size, count);
        size += count;
    }

    public void writeInt(int value) {
        ensure(4);
        for (int i = 0; i < 4; i++) {
            bytes[size++] = (byte) (value >>> 8 * i);
        }
    }

    public void writeLong(long value) {
        ensure(8);
        for (int i = 0; i < 8; i++) {
            bytes[size++] = (byte) (value >>> 8 * i);
        }
    }

    /** Writes an unsigned LEB128 integer. */
    public void writeVarint(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    public void writeZigZag(long value) {
        writeVarint(value << 1 ^ value >> 63);
    }

    /** Overwrites four bytes at {@code position}. */
    public void putInt(int position, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[position + i] = (byte) (value >>> 8 * i);
        }
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }
}
