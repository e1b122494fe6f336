package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.DeltaEncoding;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/** An encoder of BIGINT and TIMESTAMP: by dictionary if few values recur, otherwise by deltas. */
final class LongEncoder extends NumberEncoder {
    private final long[] values;
    private final NullMask nulls;

    LongEncoder(LongVector vector, boolean sorted) {
        super(
                vector.nulls(),
                sorted ? Optional.empty() : NumberDictionary.build(vector.values(), vector.nulls(), vector.length()),
                Encoding.DELTA_BINARY_PACKED);
        this.values = vector.values();
        this.nulls = vector.nulls();
    }

    @Override
    void encodeValues(int from, int to, ByteSink out) {
        if (nulls.isEmpty()) {
            DeltaEncoding.encode(values, from, to - from, out);
            return;
        }
        long[] present = new long[to - from];
        int count = 0;
        for (int i = from; i < to; i++) {
            if (!nulls.isNull(i)) {
                present[count++] = values[i];
            }
        }
        DeltaEncoding.encode(present, 0, count, out);
    }

    @Override
    public Optional<MinMax> minMax(int from, int to) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        boolean any = false;
        for (int i = from; i < to; i++) {
            if (!nulls.isNull(i)) {
                min = Math.min(min, values[i]);
                max = Math.max(max, values[i]);
                any = true;
            }
        }
        return any ? Optional.of(MinMax.ofLongs(min, max)) : Optional.empty();
    }
}
