package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.format.Type;

/**
 * The dictionary of a column chunk that another program wrote. Immutable.
 *
 * @param page the dictionary page for Parquet's readers
 * @param texts the text values, which all pages of the chunk refer to; empty for other types
 */
record ForeignDictionary(DictionaryPage page, Optional<StringVector> texts) {
    static ForeignDictionary of(LeafInfo leaf, DictionaryPage page) {
        if (leaf.element().getType() != Type.BYTE_ARRAY) {
            return new ForeignDictionary(page, Optional.empty());
        }
        StringVector texts = PageDecoder.plainStrings(bytes(page), page.getDictionarySize(), NullMask.none());
        // Parquet's readers need only ids
        DictionaryPage none = new DictionaryPage(BytesInput.empty(), 0, Encoding.PLAIN);
        return new ForeignDictionary(none, Optional.of(PageDecoder.trimmed(texts)));
    }

    private static ByteSource bytes(DictionaryPage page) {
        try {
            ByteSink bytes = new ByteSink(page.getUncompressedSize());
            page.getBytes().writeAllTo(bytes);
            return new ByteSource(bytes.bytes(), 0, bytes.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The memory in bytes. */
    long retainedBytes() {
        return page.getBytes().size()
                + texts.map(values -> values.bytes().length + (long) Integer.BYTES * values.offsets().length)
                        .orElse(0L);
    }
}
