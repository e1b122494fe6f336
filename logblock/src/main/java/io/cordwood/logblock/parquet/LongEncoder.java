package io.cordwood.logblock.parquet;

import io.cordwood.logblock.LongVector;
import io.cordwood.logblock.NullMask;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/** BIGINT and TIMESTAMP: a dictionary where few values recur, else deltas. */
final class LongEncoder implements ValueEncoder {
    private final long[] values;
    private final NullMask nulls;
    private final Optional<NumberDictionary> dictionary;

    LongEncoder(LongVector vector, boolean sorted) {
        this.values = vector.values();
        this.nulls = vector.nulls();
        this.dictionary = sorted ? Optional.empty() : NumberDictionary.build(values, nulls, vector.length());
    }

    @Override
    public Encoding encoding() {
        return dictionary.isPresent() ? Encoding.RLE_DICTIONARY : Encoding.DELTA_BINARY_PACKED;
    }

    @Override
    public Optional<byte[]> dictionary() {
        return dictionary.map(NumberDictionary::plain);
    }

    @Override
    public int dictionarySize() {
        return dictionary.map(NumberDictionary::size).orElse(0);
    }

    @Override
    public void encode(int from, int to, ByteSink out) {
        if (dictionary.isPresent()) {
            dictionary.get().encode(from, to, nulls, out);
        } else if (nulls.isEmpty()) {
            DeltaEncoding.encode(values, from, to - from, out);
        } else {
            long[] present = new long[to - from];
            int count = 0;
            for (int i = from; i < to; i++) {
                if (!nulls.isNull(i)) {
                    present[count++] = values[i];
                }
            }
            DeltaEncoding.encode(present, 0, count, out);
        }
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

    @Override
    public int sizeOf(int position) {
        return Long.BYTES;
    }
}
