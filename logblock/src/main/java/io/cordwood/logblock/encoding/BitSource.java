package io.cordwood.logblock.encoding;

/** Reads bits that {@link BitSink} wrote. Not thread-safe. */
public final class BitSource {
    private final ByteSource in;
    private long buffer;
    private int count;

    public BitSource(ByteSource in) {
        this.in = in;
    }

    public long read(int width) {
        while (count < width) {
            buffer |= (long) in.readByte() << count;
            count += 8;
        }
        long value = buffer & (1L << width) - 1;
        buffer >>>= width;
        count -= width;
        return value;
    }

    public long readRice(int riceBits) {
        long quotient = 0;
        while (read(1) == 1) {
            quotient++;
        }
        return quotient << riceBits | read(riceBits);
    }
}
