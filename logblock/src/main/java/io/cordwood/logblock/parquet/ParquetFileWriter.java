package io.cordwood.logblock.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.io.FileSink;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.ColumnWork;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.Vector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;

/** A writer of the Parquet part of a LogBlock: row groups, page indexes, footer. Not thread-safe. */
public final class ParquetFileWriter {
    static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
    private static final int VERSION = 2;
    private static final String CREATED_BY = "cordwood version 0.1.0 (build logblock-1)";

    private final FileSink file;
    private final LogBlockSchema schema;
    private final LogBlockOptions options;
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private final List<List<ColumnChunkWriter.Result>> results = new ArrayList<>();
    private final Map<Integer, ColumnTotals> totals = new LinkedHashMap<>();
    private final ColumnChunkWriter.PageScratch scratch = new ColumnChunkWriter.PageScratch();
    private long rowCount;

    public ParquetFileWriter(FileSink file, LogBlockSchema schema, LogBlockOptions options) throws IOException {
        this.file = file;
        this.schema = schema;
        this.options = options;
        file.write(MAGIC);
    }

    /**
     * Writes a row group.
     *
     * @param columns values of the columns
     * @param dictionaries dictionaries by position of the column; without one, values are written plain
     * @return for each column of the schema the first row of each page within the row group; empty for maps
     */
    public List<int[]> writeRowGroup(
            List<ColumnValues> columns, List<Optional<StringDictionary>> dictionaries, int rows) throws IOException {
        long start = file.position();
        List<ColumnChunk> chunks = new ArrayList<>();
        List<ColumnChunkWriter.Result> written = new ArrayList<>();
        List<int[]> pageStarts = new ArrayList<>();
        long uncompressed = 0;
        for (int i = 0; i < columns.size(); i++) {
            Column column = schema.columns().get(i);
            pageStarts.add(new int[0]);
            ColumnWork work = ColumnWork.begin(column.name(), ColumnWork.Part.BLOCKS);
            for (ColumnChunkWriter.Result result : write(column, columns.get(i), dictionaries.get(i), rows)) {
                chunks.add(result.chunk());
                written.add(result);
                uncompressed += result.chunk().getMeta_data().getTotal_uncompressed_size();
                totals.computeIfAbsent(result.fieldId(), id -> new ColumnTotals(column.type()))
                        .add(result);
                if (column.type() != ColumnType.MAP) {
                    pageStarts.set(i, result.pageStarts());
                }
            }
            work.commit();
        }
        RowGroup group = new RowGroup(chunks, uncompressed, rows);
        group.setFile_offset(start);
        group.setTotal_compressed_size(file.position() - start);
        group.setOrdinal((short) rowGroups.size());
        rowGroups.add(group);
        results.add(written);
        rowCount += rows;
        return pageStarts;
    }

    private List<ColumnChunkWriter.Result> write(
            Column column, ColumnValues values, Optional<StringDictionary> dictionary, int rows) throws IOException {
        List<ColumnChunkWriter.Result> chunks = new ArrayList<>();
        Optional<Vector> vector = values.inMemory();
        if (vector.isPresent()) {
            for (Leaf leaf : Leaf.of(column, vector.get(), dictionary)) {
                chunks.add(new ColumnChunkWriter(file, options, scratch).write(leaf, rows));
            }
        } else {
            chunks.add(new ColumnChunkWriter(file, options, scratch).write(column, values.parts()));
        }
        return chunks;
    }

    public long rowCount() {
        return rowCount;
    }

    public List<Long> splitOffsets() {
        return rowGroups.stream().map(RowGroup::getFile_offset).toList();
    }

    /** The metrics of the leaves by field id. */
    public Map<Integer, ColumnMetrics> metrics() {
        Map<Integer, ColumnMetrics> metrics = new LinkedHashMap<>();
        totals.forEach((fieldId, total) -> metrics.put(fieldId, total.metrics()));
        return metrics;
    }

    /** Writes page indexes, the footer checksum, and the footer. */
    public void finish(Map<String, String> keyValues) throws IOException {
        FooterChecksum check = new FooterChecksum(file);
        for (int group = 0; group < rowGroups.size(); group++) {
            for (int i = 0; i < results.get(group).size(); i++) {
                writePageIndex(
                        check,
                        rowGroups.get(group).getColumns().get(i),
                        results.get(group).get(i));
            }
        }
        FileMetaData footer = new FileMetaData(VERSION, ParquetSchema.elements(schema), rowCount, rowGroups);
        footer.setCreated_by(CREATED_BY);
        footer.setKey_value_metadata(keyValues.entrySet().stream()
                .map(entry -> new KeyValue(entry.getKey()).setValue(entry.getValue()))
                .toList());
        int leaves = results.isEmpty() ? leafCount() : results.getFirst().size();
        footer.setColumn_orders(Collections.nCopies(leaves, ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
        ByteArrayOutputStream footerBytes = new ByteArrayOutputStream();
        Util.writeFileMetaData(footer, footerBytes);
        check.finish(footerBytes.toByteArray());
        ByteSink trailer = new ByteSink(8);
        trailer.writeInt(footerBytes.size());
        trailer.write(MAGIC, 0, MAGIC.length);
        file.write(trailer.bytes(), 0, trailer.size());
        file.flush();
    }

    private int leafCount() {
        return schema.columns().stream()
                .mapToInt(column -> column.type() == ColumnType.MAP ? 2 : 1)
                .sum();
    }

    private void writePageIndex(FooterChecksum check, ColumnChunk chunk, ColumnChunkWriter.Result result)
            throws IOException {
        if (result.columnIndex().isPresent()) {
            long start = file.position();
            Util.writeColumnIndex(result.columnIndex().get(), check.out());
            chunk.setColumn_index_offset(start);
            chunk.setColumn_index_length((int) (file.position() - start));
        }
        long start = file.position();
        Util.writeOffsetIndex(result.offsetIndex(), check.out());
        chunk.setOffset_index_offset(start);
        chunk.setOffset_index_length((int) (file.position() - start));
    }

    /** The totals of one leaf over the row groups. */
    private static final class ColumnTotals {
        private final ColumnType type;
        private long size;
        private long values;
        private long nulls;
        private boolean unbounded;
        private Optional<MinMax> bounds = Optional.empty();

        ColumnTotals(ColumnType type) {
            this.type = type;
        }

        void add(ColumnChunkWriter.Result result) {
            long count = result.chunk().getMeta_data().getNum_values();
            size += result.chunk().getMeta_data().getTotal_compressed_size();
            values += count;
            nulls += result.nullCount();
            if (result.bounds().isPresent()) {
                MinMax more = result.bounds().get();
                bounds = Optional.of(bounds.map(seen -> seen.merge(more, type)).orElse(more));
            } else {
                unbounded |= result.nullCount() < count;
            }
        }

        ColumnMetrics metrics() {
            Optional<MinMax> kept = (unbounded ? Optional.<MinMax>empty() : bounds)
                    .map(full ->
                            type == ColumnType.VARCHAR ? full.truncate(ColumnChunkWriter.BOUND_CODE_POINTS) : full);
            return new ColumnMetrics(
                    size,
                    values,
                    nulls,
                    kept.map(minMax -> MinMax.value(type, minMax.min())),
                    kept.map(minMax -> MinMax.value(type, minMax.max())));
        }
    }
}
