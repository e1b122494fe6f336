package io.cordwood.logblock.sketch;

import io.cordwood.logblock.encoding.BitSink;
import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.index.TermVisitor;
import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.StringVector;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A builder of the {@link TokenFilter} of a LogBlock. It collects terms until there are too many for a small filter.
 * Not thread-safe.
 */
public final class TokenFilterBuilder implements TermVisitor {
    /** The maximum size of a filter's buckets and remainders. */
    private static final int MAX_BITS = 6 << 13;
    /** With this many bits, one candidate in 1,024 is a false positive. */
    private static final int MAX_REMAINDER_BITS = 10;
    /** With fewer bits, one candidate in two or more would be a false positive. */
    private static final int MIN_REMAINDER_BITS = 2;

    private static final int BUCKET_BITS = 2;
    /** The maximum number of terms of a filter. */
    public static final int MAX_TERMS = MAX_BITS / (BUCKET_BITS + MIN_REMAINDER_BITS);

    private final LogBlockSchema schema;
    private final Tokenizer tokenizer = new Tokenizer();
    /** A hash table with open addressing; 0 marks a free slot. */
    private long[] hashes = new long[1 << 10];

    private int terms;
    private boolean hasZero;

    public TokenFilterBuilder(LogBlockSchema schema) {
        this.schema = schema;
    }

    /** Adds the values of an indexed column. */
    public void add(Column column, StringVector vector, Optional<StringDictionary> dictionary, int rows) {
        if (dictionary.isPresent()) {
            StringDictionary values = dictionary.get();
            for (int id = 0; id < values.size() && !isFull(); id++) {
                add(column, values.bytes(), values.start(id), values.end(id));
            }
            return;
        }
        for (int row = 0; row < rows && !isFull(); row++) {
            if (!vector.isNull(row)) {
                int slot = vector.slot(row);
                add(column, vector.bytes(), vector.offsets()[slot], vector.offsets()[slot + 1]);
            }
        }
    }

    private void add(Column column, byte[] utf8, int from, int to) {
        if (column.index() == IndexKind.KEYWORD) {
            byte[] value = Tokenizer.lowerCase(utf8, from, to);
            visit(column, value, 0, value.length);
            return;
        }
        tokenizer.reset(utf8, from, to);
        while (tokenizer.next()) {
            visit(column, tokenizer.bytes(), 0, tokenizer.length());
        }
    }

    /** Adds a term: a token of text, or a value of a keyword column, lower-cased. */
    @Override
    public boolean visit(Column column, byte[] bytes, int from, int length) {
        add(TokenFilter.hash(column.fieldId(), bytes, from, length));
        return !isFull();
    }

    private void add(long hash) {
        if (hash == 0) {
            terms += hasZero ? 0 : 1;
            hasZero = true;
            return;
        }
        int at = place(hash);
        if (hashes[at] == 0) {
            hashes[at] = hash;
            terms++;
            if (2 * terms > hashes.length) {
                grow();
            }
        }
    }

    private int place(long hash) {
        int at = (int) hash & hashes.length - 1;
        while (hashes[at] != 0 && hashes[at] != hash) {
            at = at + 1 & hashes.length - 1;
        }
        return at;
    }

    private void grow() {
        long[] before = hashes;
        hashes = new long[2 * before.length];
        for (long hash : before) {
            if (hash != 0) {
                hashes[place(hash)] = hash;
            }
        }
    }

    private boolean isFull() {
        return terms > MAX_TERMS;
    }

    /** Builds the filter; empty if it would be too large or prune too little. */
    public Optional<TokenFilter> build() {
        if (isFull()) {
            return Optional.empty();
        }
        int remainderBits = terms == 0 ? 0 : Math.min(MAX_REMAINDER_BITS, MAX_BITS / terms - BUCKET_BITS);
        ByteSink out = new ByteSink(1 << 10);
        out.write(TokenFilter.VERSION);
        out.writeVarint(Tokenizer.VERSION);
        out.writeVarint(
                schema.columns().stream().filter(TokenFilterBuilder::isCovered).count());
        schema.columns().stream().filter(TokenFilterBuilder::isCovered).forEach(column -> {
            out.writeVarint(column.fieldId());
            out.write(TokenFilter.code(column.index()));
        });
        out.writeVarint(terms);
        out.write(remainderBits);
        writeEntries(remainderBits, out);
        out.writeInt(TokenFilter.crc(out.bytes(), out.size()));
        return TokenFilter.parse(ByteBuffer.wrap(out.bytes(), 0, out.size()));
    }

    public static boolean isCovered(Column column) {
        return column.index() != IndexKind.NONE;
    }

    private void writeEntries(int remainderBits, ByteSink out) {
        int[] entries = new int[terms];
        int count = 0;
        for (long hash : hashes) {
            if (hash != 0) {
                entries[count++] = entry(hash, remainderBits);
            }
        }
        if (hasZero) {
            entries[count] = entry(0, remainderBits);
        }
        Arrays.sort(entries);
        BitSink buckets = new BitSink(out);
        int next = 0;
        for (int bucket = 0; bucket < terms; bucket++) {
            for (; next < terms && entries[next] >>> remainderBits == bucket; next++) {
                buckets.write(1, 1);
            }
            buckets.write(0, 1);
        }
        buckets.align();
        BitSink remainders = new BitSink(out);
        for (int entry : entries) {
            remainders.write(TokenFilter.remainder(entry, remainderBits), remainderBits);
        }
        remainders.align();
    }

    private int entry(long hash, int remainderBits) {
        return TokenFilter.bucket(hash, terms) << remainderBits | TokenFilter.remainder(hash, remainderBits);
    }
}
