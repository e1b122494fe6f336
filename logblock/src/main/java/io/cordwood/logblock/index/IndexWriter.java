package io.cordwood.logblock.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.io.FileSink;
import io.cordwood.logblock.match.Tokenizer;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnWork;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Collects the index of a LogBlock and writes its cold and hot bytes. Not thread-safe. */
public final class IndexWriter {
    static final int MAGIC = 0x58495743; // CWIX
    private static final int MAX_RARE_ROWS_OF_TEXT = 16;

    private final SortedMap<Integer, FieldInverter> fields = new TreeMap<>();
    private final MinuteIndex.Builder minutes = new MinuteIndex.Builder();
    private long[] times = new long[16];
    private int timeCount;
    private int rowCount;

    public IndexWriter(LogBlockSchema schema) {
        for (Column column : schema.columns()) {
            if (column.index() != IndexKind.NONE) {
                fields.put(column.fieldId(), new FieldInverter(column));
            }
        }
    }

    /** Adds the times of a row group; call before {@link #endRowGroup}. */
    public void addTimes(LongVector vector, int rows) {
        int first = (TimeIndex.INTERVAL - rowCount % TimeIndex.INTERVAL) % TimeIndex.INTERVAL;
        for (int row = first; row < rows; row += TimeIndex.INTERVAL) {
            if (timeCount == times.length) {
                times = Arrays.copyOf(times, 2 * timeCount);
            }
            times[timeCount++] = vector.values()[row];
        }
        minutes.add(vector.values(), rows);
    }

    /** Adds the values of an indexed column of a row group; call before {@link #endRowGroup}. */
    public void addValues(
            Column column, StringVector vector, Optional<StringDictionary> dictionary, int rows, int[] blockStarts) {
        addBlocks(column, blockStarts);
        FieldInverter field = fields.get(column.fieldId());
        if (dictionary.isPresent()) {
            field.addByDictionary(vector, dictionary.get(), rowCount, rows);
        } else {
            field.addPlain(vector, rowCount, rows);
        }
    }

    /**
     * Adds the column blocks of a column of a row group. Its values follow in parts, by {@link #addPart} and {@link
     * #addCopied}.
     *
     * @param blockStarts their first rows in the row group
     */
    public void addBlocks(Column column, int[] blockStarts) {
        for (int start : blockStarts) {
            fields.get(column.fieldId()).blockStarts.add(rowCount + start);
        }
    }

    /** Adds the values of some rows, from the given row of the row group on. */
    public void addPart(Column column, StringVector vector, int firstRow) {
        fields.get(column.fieldId()).addPlain(vector, rowCount + firstRow, vector.length());
    }

    /**
     * Adds the terms that some rows have in another LogBlock. They fill whole column blocks, there and here.
     *
     * @param source the column's index there, which stays open until this is finished
     * @param fromRow their first row there
     * @param toRow the row after their last one there
     * @param fromBlock their first column block there
     * @param toBlock the column block after their last one there
     * @param firstRow their first row in the row group
     */
    public void addCopied(
            Column column, FieldIndex source, int fromRow, int toRow, int fromBlock, int toBlock, int firstRow) {
        FieldInverter field = fields.get(column.fieldId());
        int row = rowCount + firstRow;
        field.copied.add(new CopiedTerms(source, fromRow, toRow, fromBlock, toBlock, row, field.blockAt(row)));
    }

    public void endRowGroup(int rows) {
        rowCount += rows;
    }

    /** Visits each distinct term of the text columns, in no order, until the visitor stops; not those copied. */
    public void forEachTextTerm(TermVisitor visitor) {
        for (FieldInverter field : fields.values()) {
            if (field.column.index() == IndexKind.TEXT && !field.visitTerms(visitor)) {
                return;
            }
        }
    }

    /** Writes the cold and the hot bytes. */
    public IndexLocation finish(FileSink file) throws IOException {
        SortedMap<String, FieldTerms> inverted = new TreeMap<>();
        List<Integer> withTerms = new ArrayList<>();
        ByteSink fieldHeaders = new ByteSink(1 << 12);
        ByteSink fingerprints = new ByteSink(1 << 16);
        fieldHeaders.writeVarint(fields.size());
        for (Map.Entry<Integer, FieldInverter> entry : fields.entrySet()) {
            FieldInverter field = entry.getValue();
            ColumnWork work = ColumnWork.begin(field.column.name(), ColumnWork.Part.SORT);
            FieldTerms terms = field.finish();
            work.commit();
            if (terms.termCount() > 0) {
                inverted.put(LuceneSegment.fieldName(entry.getKey()), terms);
                withTerms.add(entry.getKey());
            }
            fieldHeaders.writeVarint(entry.getKey());
            fieldHeaders.write(code(field.column.index()));
            fieldHeaders.writeVarint(terms.termCount());
            fieldHeaders.writeVarint(terms.rare().length);
            if (terms.rare().length > 0) {
                fieldHeaders.writeVarint(fingerprints.size());
                FingerprintTable.write(terms.rare(), field.blockStarts.size(), fingerprints)
                        .writeHeader(fieldHeaders);
            }
        }
        ByteSink cold = new ByteSink(fingerprints.size() + (1 << 16));
        cold.write(fingerprints.bytes(), 0, fingerprints.size());
        List<LuceneFile> files = inverted.isEmpty() ? List.of() : luceneFiles(inverted, withTerms, cold);

        long coldOffset = file.position();
        file.write(cold.bytes(), 0, cold.size());
        ByteSink hot = hot(fieldHeaders, files, cold);
        long hotOffset = file.position();
        file.write(hot.bytes(), 0, hot.size());
        return new IndexLocation(
                IndexLocation.VERSION,
                coldOffset,
                cold.size(),
                hotOffset,
                hot.size(),
                ColdRegion.crc(hot.bytes(), 0, hot.size()));
    }

    private List<LuceneFile> luceneFiles(SortedMap<String, FieldTerms> inverted, List<Integer> fieldIds, ByteSink cold)
            throws IOException {
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            LuceneSegment.write(directory, rowCount, new InvertedFields(inverted), fieldIds);
            List<LuceneFile> files = new ArrayList<>();
            for (String name : directory.listAll()) {
                try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
                    byte[] bytes = new byte[Math.toIntExact(in.length())];
                    in.readBytes(bytes, 0, bytes.length);
                    files.add(place(name, bytes, cold));
                }
            }
            return files;
        }
    }

    private static LuceneFile place(String name, byte[] bytes, ByteSink cold) {
        if (!LuceneFile.isCold(name)) {
            return new LuceneFile(name, false, 0, bytes.length, bytes, new byte[0]);
        }
        int offset = cold.size();
        cold.write(bytes, 0, bytes.length);
        byte[] head = Arrays.copyOf(bytes, Math.min(LuceneFile.HEAD_BYTES, bytes.length));
        byte[] footer = Arrays.copyOfRange(bytes, Math.max(0, bytes.length - LuceneFile.FOOTER_BYTES), bytes.length);
        return new LuceneFile(name, true, offset, bytes.length, head, footer);
    }

    private ByteSink hot(ByteSink fieldHeaders, List<LuceneFile> files, ByteSink cold) {
        ByteSink hot = new ByteSink(1 << 16);
        hot.writeInt(MAGIC);
        hot.writeVarint(Tokenizer.VERSION);
        hot.writeVarint(rowCount);
        new TimeIndex(Arrays.copyOf(times, timeCount), rowCount).write(hot);
        hot.write(fieldHeaders.bytes(), 0, fieldHeaders.size());
        hot.writeVarint(files.size());
        for (LuceneFile file : files) {
            writeBytes(file.name().getBytes(UTF_8), hot);
            hot.write(file.cold() ? 1 : 0);
            hot.writeVarint(file.offset());
            hot.writeVarint(file.length());
            writeBytes(file.head(), hot);
            writeBytes(file.footer(), hot);
        }
        for (int checksum : ColdRegion.checksums(cold.bytes(), cold.size())) {
            hot.writeInt(checksum);
        }
        minutes.write(hot);
        return hot;
    }

    /**
     * The maximum number of rows of a rare term. Finding a rare term means reading its column block, which is cheap;
     * for text, the query reads the rows around it anyway. Queries also walk a keyword column's values in order; only
     * the dictionary has their text, so few of them may be rare.
     */
    private static int maxRareRows(IndexKind kind) {
        return kind == IndexKind.TEXT ? MAX_RARE_ROWS_OF_TEXT : 1;
    }

    /** The number of an index kind in the file. */
    static int code(IndexKind kind) {
        return switch (kind) {
            case NONE -> 0;
            case KEYWORD -> 1;
            case TEXT -> 2;
        };
    }

    private static void writeBytes(byte[] bytes, ByteSink out) {
        out.writeVarint(bytes.length);
        out.write(bytes, 0, bytes.length);
    }

    /** Collects the terms of one column. */
    private static final class FieldInverter {
        final Column column;
        final TermInverter terms = new TermInverter();
        final IntList blockStarts = new IntList();
        final List<CopiedTerms> copied = new ArrayList<>();
        private final Tokenizer tokenizer = new Tokenizer();
        private int[] tokens = new int[64];

        FieldInverter(Column column) {
            this.column = column;
        }

        void addPlain(StringVector vector, int firstRow, int rows) {
            boolean text = column.index() == IndexKind.TEXT;
            for (int i = 0; i < rows; i++) {
                if (vector.isNull(i)) {
                    continue;
                }
                int slot = vector.slot(i);
                int from = vector.offsets()[slot];
                int to = vector.offsets()[slot + 1];
                if (text) {
                    tokenizer.reset(vector.bytes(), from, to);
                    while (tokenizer.next()) {
                        terms.add(terms.term(tokenizer.bytes(), 0, tokenizer.length()), firstRow + i);
                    }
                } else {
                    terms.add(terms.term(vector.bytes(), from, to - from), firstRow + i);
                }
            }
        }

        /** Adds the values of a dictionary column, converting each distinct value to terms only once. */
        void addByDictionary(StringVector vector, StringDictionary dictionary, int firstRow, int rows) {
            int[][] termsOfId = new int[dictionary.size()][];
            for (int id = 0; id < termsOfId.length; id++) {
                termsOfId[id] = termsOf(dictionary.bytes(), dictionary.start(id), dictionary.end(id));
            }
            for (int i = 0; i < rows; i++) {
                if (!vector.isNull(i)) {
                    for (int term : termsOfId[dictionary.id(i)]) {
                        terms.add(term, firstRow + i);
                    }
                }
            }
        }

        private int[] termsOf(byte[] bytes, int from, int to) {
            if (column.index() == IndexKind.KEYWORD) {
                return new int[] {terms.term(bytes, from, to - from)};
            }
            int count = 0;
            tokenizer.reset(bytes, from, to);
            while (tokenizer.next()) {
                if (count == tokens.length) {
                    tokens = Arrays.copyOf(tokens, 2 * count);
                }
                tokens[count++] = terms.term(tokenizer.bytes(), 0, tokenizer.length());
            }
            return Arrays.copyOf(tokens, count);
        }

        boolean visitTerms(TermVisitor visitor) {
            boolean more = true;
            for (int term = 0; term < terms.termCount() && more; term++) {
                more = visitor.visit(column, terms.arena(), terms.start(term), terms.end(term) - terms.start(term));
            }
            return more;
        }

        FieldTerms finish() throws IOException {
            int maxRareRows = maxRareRows(column.index());
            return copied.isEmpty()
                    ? new InvertedField(terms, blockStarts(), maxRareRows)
                    : new MergedField(copied, terms, blockStarts(), maxRareRows);
        }

        /** The column block that begins with a row. */
        int blockAt(int row) {
            int block = blockStarts.find(row);
            if (block < 0) {
                throw new IllegalArgumentException(
                        "no column block of '%s' begins at row %d".formatted(column.name(), row));
            }
            return block;
        }

        private int[] blockStarts() {
            int[] starts = new int[blockStarts.size()];
            Arrays.setAll(starts, blockStarts::at);
            return starts;
        }
    }
}
