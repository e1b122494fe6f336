package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.vector.NullMask;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/** An encoder of 64-bit numbers: by dictionary if few values recur, otherwise by the type's own encoding. */
abstract class NumberEncoder implements ValueEncoder {
    private final NullMask nulls;
    private final Optional<NumberDictionary> dictionary;
    private final Encoding otherwise;

    NumberEncoder(NullMask nulls, Optional<NumberDictionary> dictionary, Encoding otherwise) {
        this.nulls = nulls;
        this.dictionary = dictionary;
        this.otherwise = otherwise;
    }

    /** Encodes a run in the type's own encoding. */
    abstract void encodeValues(int from, int to, ByteSink out);

    @Override
    public final Encoding encoding() {
        return dictionary.isPresent() ? Encoding.RLE_DICTIONARY : otherwise;
    }

    @Override
    public final Optional<byte[]> dictionary() {
        return dictionary.map(NumberDictionary::plain);
    }

    @Override
    public final int dictionarySize() {
        return dictionary.map(NumberDictionary::size).orElse(0);
    }

    @Override
    public final void encode(int from, int to, ByteSink out) {
        if (dictionary.isPresent()) {
            dictionary.get().encode(from, to, nulls, out);
        } else {
            encodeValues(from, to, out);
        }
    }

    @Override
    public final int sizeOf(int position) {
        return Long.BYTES;
    }
}
