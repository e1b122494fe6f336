package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.NullMask;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/** DOUBLE: a dictionary where few values recur, else plain. */
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

    /** Bounds, unless a NaN is among the values: Parquet has no place for NaN in an order. */
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
