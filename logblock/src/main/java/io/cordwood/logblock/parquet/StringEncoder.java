package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.vector.StringVector;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.format.Encoding;

/**
 * An encoder of VARCHAR: ids of a sorted dictionary if it pays off, otherwise plain, which every Parquet reader
 * supports.
 */
final class StringEncoder implements ValueEncoder {
    private final StringVector vector;
    private final Optional<StringDictionary> dictionary;
    private final boolean bounds;

    /** @param bounds whether to keep bounds of the values; those of free text are useless */
    StringEncoder(StringVector vector, Optional<StringDictionary> dictionary, boolean bounds) {
        this.vector = vector;
        this.dictionary = dictionary;
        this.bounds = bounds;
    }

    @Override
    public Encoding encoding() {
        return dictionary.isPresent() ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
    }

    @Override
    public Optional<byte[]> dictionary() {
        return dictionary.map(StringDictionary::plain);
    }

    @Override
    public int dictionarySize() {
        return dictionary.map(StringDictionary::size).orElse(0);
    }

    @Override
    public void encode(int from, int to, ByteSink out) {
        if (dictionary.isPresent()) {
            DictionaryIds.encode(dictionary.get().ids(), dictionary.get().size(), from, to, vector.nulls(), out);
            return;
        }
        for (int i = from; i < to; i++) {
            if (!vector.isNull(i)) {
                out.writeInt(lengthAt(i));
                out.write(vector.bytes(), startAt(i), lengthAt(i));
            }
        }
    }

    @Override
    public Optional<MinMax> minMax(int from, int to) {
        if (!bounds) {
            return Optional.empty();
        }
        if (dictionary.isPresent()) {
            return minMaxOfIds(dictionary.get(), from, to);
        }
        int min = -1;
        int max = -1;
        for (int i = from; i < to; i++) {
            if (!vector.isNull(i)) {
                min = min < 0 || compare(i, min) < 0 ? i : min;
                max = max < 0 || compare(i, max) > 0 ? i : max;
            }
        }
        return min < 0 ? Optional.empty() : Optional.of(new MinMax(value(min), value(max)));
    }

    private Optional<MinMax> minMaxOfIds(StringDictionary values, int from, int to) {
        int min = Integer.MAX_VALUE;
        int max = -1;
        for (int i = from; i < to; i++) {
            if (!vector.isNull(i)) {
                min = Math.min(min, values.id(i));
                max = Math.max(max, values.id(i));
            }
        }
        return max < 0 ? Optional.empty() : Optional.of(new MinMax(values.value(min), values.value(max)));
    }

    @Override
    public long valueBytes(int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += vector.isNull(i) ? 0 : lengthAt(i);
        }
        return bytes;
    }

    private int compare(int left, int right) {
        return Arrays.compareUnsigned(
                vector.bytes(),
                startAt(left),
                startAt(left) + lengthAt(left),
                vector.bytes(),
                startAt(right),
                startAt(right) + lengthAt(right));
    }

    private byte[] value(int position) {
        return Arrays.copyOfRange(vector.bytes(), startAt(position), startAt(position) + lengthAt(position));
    }

    private int startAt(int position) {
        return vector.offsets()[vector.slot(position)];
    }

    private int lengthAt(int position) {
        int slot = vector.slot(position);
        return vector.offsets()[slot + 1] - vector.offsets()[slot];
    }

    @Override
    public int sizeOf(int position) {
        return vector.isNull(position) ? 0 : dictionary.isPresent() ? 2 : 4 + lengthAt(position);
    }
}
