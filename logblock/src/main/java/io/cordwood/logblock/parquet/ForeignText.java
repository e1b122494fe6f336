package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.MalformedPageException;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.column.ColumnReader;

/**
 * A builder of the text of a run of pages. It keeps ids if all pages have them, so that a recurring value is stored
 * once; otherwise it copies the values, up to a limit. Not thread-safe.
 */
final class ForeignText {
    /** The maximum bytes of copied values. */
    private static final int MAX_BYTES = 1 << 28;

    private final StoredPages pages;
    private final Optional<StringVector> dictionary;
    private final int[] ids;
    private final int[] offsets;
    private final ByteSink bytes = new ByteSink(1 << 12);

    /** @param dictionary the values of ids, if the chunk has a dictionary */
    ForeignText(StoredPages pages, Optional<StringVector> dictionary, int count) {
        this.pages = pages;
        // Ids cannot refer to an empty dictionary
        boolean byIds = pages.haveIdsOnly()
                && dictionary.isPresent()
                && dictionary.get().length() > 0;
        this.dictionary = dictionary;
        this.ids = new int[byIds ? count : 0];
        this.offsets = new int[byIds ? 0 : count + 1];
    }

    /** Adds the reader's current value. */
    void add(int position, ColumnReader reader) {
        if (ids.length > 0) {
            ids[position] = id(reader);
        } else if (dictionary.isPresent() && pages.hasIds()) {
            int id = id(reader);
            int[] starts = dictionary.get().offsets();
            add(position, dictionary.get().bytes(), starts[id], starts[id + 1] - starts[id]);
        } else {
            byte[] value = reader.getBinary().getBytesUnsafe();
            add(position, value, 0, value.length);
        }
    }

    void addNull(int position) {
        if (offsets.length > 0) {
            offsets[position + 1] = bytes.size();
        }
    }

    private void add(int position, byte[] value, int from, int count) {
        if (count > MAX_BYTES - bytes.size()) {
            throw new OversizedPageException("%d bytes of values".formatted((long) bytes.size() + count), MAX_BYTES);
        }
        bytes.write(value, from, count);
        offsets[position + 1] = bytes.size();
    }

    private int id(ColumnReader reader) {
        int id = reader.getCurrentValueDictionaryID();
        int values = dictionary.orElseThrow().length();
        if (id < 0 || id >= values) {
            throw new MalformedPageException("id %d in a dictionary of %d".formatted(id, values));
        }
        return id;
    }

    StringVector vector(int count, NullMask nulls) {
        if (ids.length > 0) {
            StringVector values = dictionary.orElseThrow();
            return new StringVector(values.bytes(), values.offsets(), ids, count, nulls);
        }
        return StringVector.plain(Arrays.copyOf(bytes.bytes(), bytes.size()), offsets, count, nulls);
    }
}
