package io.cordwood.logblock.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A cursor over bytes, the counterpart of {@link ByteSink}. Not thread-safe. */
public final class ByteSource {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int end;
    private int position;

    public ByteSource(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.position = from;
        this.end = to;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int position() {
        return position;
    }

    public int remaining() {
        return end - position;
    }

    /** Another cursor over the bytes that are left, with a position of its own. */
    public ByteSource rest() {
        return new ByteSource(bytes, position, end);
    }

    public void skip(int count) {
        require(count);
        position += count;
    }

    public int readByte() {
        require(1);
        return bytes[position++] & 0xFF;
    }

    public int readInt() {
        require(4);
        int value = (int) INTS.get(bytes, position);
        position += 4;
        return value;
    }

    public long readLong() {
        require(8);
        long value = (long) LONGS.get(bytes, position);
        position += 8;
        return value;
    }

    public long readVarint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            int b = readByte();
            value |= (long) (b & 0x7F) << shift;
            if ((b & 0x80) == 0) {
                return value;
            }
        }
        throw new MalformedPageException("a variable-length integer does not end");
    }

    public int readVarint32() {
        long value = readVarint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new MalformedPageException("length %d is out of range".formatted(value));
        }
        return (int) value;
    }

    public long readZigZag() {
        long value = readVarint();
        return value >>> 1 ^ -(value & 1);
    }

    /**
     * Unpacks {@code count} integers of {@code width} bits, least significant bit first, and moves past their bytes.
     */
    public void unpack(int width, long[] out, int from, int count) {
        int byteCount = byteCount(width, count);
        long mask = width == 64 ? -1L : (1L << width) - 1;
        int quick = quickCount(width, count);
        long bit = (long) position << 3;
        for (int i = 0; i < quick; i++, bit += width) {
            out[from + i] = (long) LONGS.get(bytes, (int) (bit >>> 3)) >>> (bit & 7) & mask;
        }
        for (int i = quick; i < count; i++, bit += width) {
            out[from + i] = bits((int) (bit >>> 3), (int) (bit & 7), width) & mask;
        }
        position += byteCount;
    }

    /** Like {@link #unpack(int, long[], int, int)}, for at most 32 bits. */
    public void unpack(int width, int[] out, int from, int count) {
        int byteCount = byteCount(width, count);
        long mask = (1L << width) - 1;
        int quick = quickCount(width, count);
        long bit = (long) position << 3;
        for (int i = 0; i < quick; i++, bit += width) {
            out[from + i] = (int) ((long) LONGS.get(bytes, (int) (bit >>> 3)) >>> (bit & 7) & mask);
        }
        for (int i = quick; i < count; i++, bit += width) {
            out[from + i] = (int) (bits((int) (bit >>> 3), (int) (bit & 7), width) & mask);
        }
        position += byteCount;
    }

    private int byteCount(int width, int count) {
        int byteCount = (int) (((long) width * count + 7) >>> 3);
        require(byteCount);
        return byteCount;
    }

    /** The number of integers from here that can each be read from eight bytes within the array. */
    private int quickCount(int width, int count) {
        if (width == 0 || width > 57) {
            return 0;
        }
        long lastBit = (bytes.length - Long.BYTES - (long) position << 3) + 7;
        return lastBit < 0 ? 0 : (int) Math.min(count, lastBit / width + 1);
    }

    private long bits(int at, int shift, int width) {
        if (at + 8 <= bytes.length && shift + width <= 64) {
            return (long) LONGS.get(bytes, at) >>> shift;
        }
        long value = 0;
        for (int i = 0; i < 9 && at + i < end; i++) {
            int left = 8 * i - shift;
            long b = bytes[at + i] & 0xFF;
            value |= left < 0 ? b >>> -left : left < 64 ? b << left : 0;
        }
        return value;
    }

    private void require(int count) {
        if (count < 0 || count > end - position) {
            throw new MalformedPageException(
                    "%d bytes expected at %d, %d left".formatted(count, position, end - position));
        }
    }
}
