package io.cordwood.logblock.encoding;

import java.util.Arrays;

/** Parquet's hybrid of RLE and bit-packing, for dictionary ids and levels. Stateless. */
public final class RleEncoding {
    private static final int MIN_RUN = 8;

    private RleEncoding() {}

    /** The number of bits for the values {@code 0 .. max}. */
    public static int bitWidth(int max) {
        return 32 - Integer.numberOfLeadingZeros(max);
    }

    public static void encode(int[] values, int from, int count, int width, ByteSink out) {
        int end = from + count;
        int packedFrom = from;
        int i = from;
        while (i < end) {
            int run = runLength(values, i, end);
            if (run >= MIN_RUN) {
                writePacked(values, packedFrom, i, width, out);
                writeRun(values[i], run, width, out);
                i += run;
                packedFrom = i;
            } else {
                // A packed run holds whole groups of 8, so a repeated run can only start where a group ends.
                i = Math.min(i + 8, end);
            }
        }
        writePacked(values, packedFrom, end, width, out);
    }

    private static int runLength(int[] values, int from, int end) {
        int i = from + 1;
        while (i < end && values[i] == values[from]) {
            i++;
        }
        return i - from;
    }

    private static void writeRun(int value, int count, int width, ByteSink out) {
        out.writeVarint((long) count << 1);
        for (int shift = 0; shift < width; shift += 8) {
            out.write(value >>> shift);
        }
    }

    private static void writePacked(int[] values, int from, int to, int width, ByteSink out) {
        if (from == to) {
            return;
        }
        int groups = (to - from + 7) >>> 3;
        out.writeVarint((long) groups << 1 | 1);
        int end = out.size() + groups * width;
        out.ensure(groups * width);
        long buffer = 0;
        int bits = 0;
        for (int i = from; i < to; i++) {
            buffer |= (long) values[i] << bits;
            bits += width;
            while (bits >= 8) {
                out.write((int) buffer);
                buffer >>>= 8;
                bits -= 8;
            }
        }
        if (bits > 0) {
            out.write((int) buffer);
        }
        while (out.size() < end) {
            out.write(0);
        }
    }

    /** Whether the section is one run of this value, at least {@code count} long. */
    public static boolean isRunOf(int value, ByteSource section, int count) {
        ByteSource in = section.rest();
        long header = in.readVarint32();
        return (header & 1) == 0 && header >>> 1 >= count && value < 1 << 8 && in.readByte() == value;
    }

    /** Decodes {@code count} values into {@code out}. */
    public static void decode(ByteSource in, int width, int[] out, int count) {
        if (width < 0 || width > 32) {
            throw new MalformedPageException("bit width %d".formatted(width));
        }
        if (width == 0) {
            Arrays.fill(out, 0, count, 0);
            return;
        }
        int done = 0;
        int[] padded = new int[0];
        while (done < count) {
            long header = in.readVarint32();
            long length = (header & 1) == 0 ? header >>> 1 : (header >>> 1) * 8;
            int take = (int) Math.min(length, count - done);
            if (take == 0) {
                throw new MalformedPageException("an empty run");
            }
            if ((header & 1) == 0) {
                int value = 0;
                for (int shift = 0; shift < width; shift += 8) {
                    value |= in.readByte() << shift;
                }
                Arrays.fill(out, done, done + take, value);
            } else if (length == take) {
                in.unpack(width, out, done, take);
            } else {
                int groups = (int) Math.min(length, (take + 7L) / 8 * 8);
                padded = padded.length < groups ? new int[groups] : padded;
                in.unpack(width, padded, 0, groups);
                System.arraycopy(padded, 0, out, done, take);
            }
            done += take;
        }
    }
}
