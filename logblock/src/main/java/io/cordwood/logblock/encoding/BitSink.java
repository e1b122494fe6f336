package io.cordwood.logblock.encoding;

/** Writes bits, least significant first, onto a {@link ByteSink}. Not thread-safe. */
public final class BitSink {
    private final ByteSink out;
    private long buffer;
    private int count;

    public BitSink(ByteSink out) {
        this.out = out;
    }

    /** Writes the lower {@code width} bits, at most 32. */
    public void write(long value, int width) {
        buffer |= (value & (1L << width) - 1) << count;
        count += width;
        while (count >= 8) {
            out.write((int) buffer);
            buffer >>>= 8;
            count -= 8;
        }
    }

    public void writeRice(long value, int riceBits) {
        for (long quotient = value >>> riceBits; quotient > 0; quotient -= 16) {
            int ones = (int) Math.min(16, quotient);
            write((1L << ones) - 1, ones);
        }
        write(0, 1);
        write(value, riceBits);
    }

    /** Fills the last byte with zeros. */
    public void align() {
        if (count > 0) {
            out.write((int) buffer);
            buffer = 0;
            count = 0;
        }
    }
}
