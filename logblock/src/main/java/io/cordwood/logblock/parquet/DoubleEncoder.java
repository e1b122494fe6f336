package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.NullMask;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/** An encoder of DOUBLE: by dictionary if few values recur, otherwise plain. */
final class DoubleEncoder extends NumberEncoder {
    private final double[] values;
    private final NullMask nulls;

    DoubleEncoder(DoubleVector vector) {
        super(vector.nulls(), NumberDictionary.build(bits(vector), vector.nulls(), vector.length()), Encoding.PLAIN);
        this.values = vector.values();
        this.nulls = vector.nulls();
    }

    private static long[] bits(DoubleVector vector) {
        double[] values = vector.values();
        long[] bits = new long[vector.length()];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Double.doubleToRawLongBits(values[i]);
        }
        return bits;
    }

    @Override
    void encodeValues(int from, int to, ByteSink out) {
        for (int i = from; i < to; i++) {
            if (!nulls.isNull(i)) {
                out.writeLong(Double.doubleToRawLongBits(values[i]));
            }
        }
    }

    /** Bounds of the values; empty if a value is NaN, which has no place in Parquet's order. */
    @Override
    public Optional<MinMax> minMax(int from, int to) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        boolean any = false;
        for (int i = from; i < to; i++) {
            if (nulls.isNull(i)) {
                continue;
            }
            if (Double.isNaN(values[i])) {
                return Optional.empty();
            }
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
            any = true;
        }
        return any ? Optional.of(MinMax.ofDoubles(min, max)) : Optional.empty();
    }
}
