package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.NullMask;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/** An encoder of BOOLEAN: plain, one bit each. */
final class BooleanEncoder implements ValueEncoder {
    private final boolean[] values;
    private final NullMask nulls;

    BooleanEncoder(BooleanVector vector) {
        this.values = vector.values();
        this.nulls = vector.nulls();
    }

    @Override
    public Encoding encoding() {
        return Encoding.PLAIN;
    }

    @Override
    public void encode(int from, int to, ByteSink out) {
        int buffer = 0;
        int bits = 0;
        for (int i = from; i < to; i++) {
            if (nulls.isNull(i)) {
                continue;
            }
            if (values[i]) {
                buffer |= 1 << bits;
            }
            if (++bits == 8) {
                out.write(buffer);
                buffer = 0;
                bits = 0;
            }
        }
        if (bits != 0) {
            out.write(buffer);
        }
    }

    @Override
    public Optional<MinMax> minMax(int from, int to) {
        boolean anyTrue = false;
        boolean anyFalse = false;
        for (int i = from; i < to; i++) {
            if (!nulls.isNull(i)) {
                anyTrue |= values[i];
                anyFalse |= !values[i];
            }
        }
        return anyTrue || anyFalse ? Optional.of(MinMax.ofBooleans(!anyFalse, anyTrue)) : Optional.empty();
    }

    @Override
    public int sizeOf(int position) {
        return 1;
    }
}
