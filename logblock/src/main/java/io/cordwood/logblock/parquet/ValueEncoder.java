package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/** An encoder of runs of a vector's values, without nulls. Positions are those of the vector. Not thread-safe. */
interface ValueEncoder {
    Encoding encoding();

    /** The dictionary's values in PLAIN encoding, if this encoder writes ids. */
    default Optional<byte[]> dictionary() {
        return Optional.empty();
    }

    default int dictionarySize() {
        return 0;
    }

    void encode(int from, int to, ByteSink out);

    /** The bounds of the values, if the type has useful bounds and the run has a value. */
    Optional<MinMax> minMax(int from, int to);

    /** The size of the run's text values, for Parquet's {@code unencoded_byte_array_data_bytes}; 0 for other types. */
    default long valueBytes(int from, int to) {
        return 0;
    }

    /** The uncompressed size of one value, for cutting pages. */
    int sizeOf(int position);
}
