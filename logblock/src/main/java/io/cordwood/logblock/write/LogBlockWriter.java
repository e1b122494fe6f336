package io.cordwood.logblock.write;

import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.index.IndexLocation;
import io.cordwood.logblock.index.IndexWriter;
import io.cordwood.logblock.io.FileSink;
import io.cordwood.logblock.parquet.ColumnPart;
import io.cordwood.logblock.parquet.ColumnValues;
import io.cordwood.logblock.parquet.ParquetFileWriter;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.ColumnWork;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.sketch.DistinctSketch;
import io.cordwood.logblock.sketch.TokenFilter;
import io.cordwood.logblock.sketch.TokenFilterBuilder;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A writer of one LogBlock. Not thread-safe.
 *
 * <p>Rows must be added in the order (ts, topic id, partition, offset, ordinal). The writer holds a row group's rows
 * and the index of the whole LogBlock in memory until it writes them.
 */
public final class LogBlockWriter implements Closeable {
    /** The footer key of the format's version. */
    public static final String VERSION_KEY = "cordwood.logblock.version";

    public static final String VERSION = "1";

    /**
     * The maximum size of a row group's values, which are all in memory at once; unusually large rows end a row group
     * early.
     */
    private static final long MAX_ROW_GROUP_BYTES = 256 << 20;

    private final FileSink file;
    private final LogBlockSchema schema;
    private final LogBlockOptions options;
    private final ParquetFileWriter parquet;
    private final int tsPosition;
    private final List<List<ColumnValues>> pending = new ArrayList<>();
    private int pendingRows;
    private long pendingBytes;
    private Optional<IndexWriter> index = Optional.empty();
    private Optional<TokenFilterBuilder> tokens;
    private boolean hasStatistics = true;
    private final Map<Integer, DistinctSketch.Builder> distinct = new HashMap<>();
    private long firstTime = Long.MAX_VALUE;
    private long lastTime = Long.MIN_VALUE;

    /** @throws IllegalArgumentException if the schema has no required TIMESTAMP column {@code ts} */
    public LogBlockWriter(OutputStream out, LogBlockSchema schema, LogBlockOptions options) throws IOException {
        this.file = new FileSink(out);
        this.schema = schema;
        this.options = options;
        this.tsPosition = schema.indexOf(LogBlockSchema.TS);
        Column ts = schema.columns().get(tsPosition);
        if (ts.type() != ColumnType.TIMESTAMP || !ts.required()) {
            throw new IllegalArgumentException("Column 'ts' must be a required TIMESTAMP");
        }
        this.parquet = new ParquetFileWriter(file, schema, options);
        this.tokens = Optional.of(new TokenFilterBuilder(schema));
    }

    /** Skips {@link TokenFilter} and {@link DistinctSketch}es, for a LogBlock that will be in no table. */
    public LogBlockWriter inNoTable() {
        tokens = Optional.empty();
        hasStatistics = false;
        return this;
    }

    /**
     * Adds rows.
     *
     * @param columns one vector for each column of the schema, in its order
     * @throws IllegalArgumentException if times go backwards or a required value is null
     */
    public void append(List<? extends Vector> columns, int rows) throws IOException {
        check(columns.stream().map(ColumnValues::of).toList(), rows);
        long rowBytes = rows == 0
                ? 0
                : 1 + columns.stream().mapToLong(Vectors::valueBytes).sum() / rows;
        int from = 0;
        while (from < rows) {
            int count = Math.min(rows - from, options.rowGroupRows() - pendingRows);
            count = (int) Math.min(count, 1 + (MAX_ROW_GROUP_BYTES - pendingBytes) / rowBytes);
            List<ColumnValues> slice = new ArrayList<>();
            for (Vector column : columns) {
                slice.add(ColumnValues.of(Vectors.slice(column, from, count)));
            }
            pending.add(slice);
            pendingRows += count;
            pendingBytes += count * rowBytes;
            from += count;
            if (pendingRows == options.rowGroupRows() || pendingBytes >= MAX_ROW_GROUP_BYTES) {
                writeRowGroup();
            }
        }
    }

    /**
     * Adds rows, some of whose text may be pages of other LogBlocks, which stay open until this is finished. With such
     * pages the LogBlock has no token filter.
     *
     * @param columns the values of each column of the schema, in its order
     * @throws IllegalArgumentException if times go backwards or a required value is null
     */
    public void appendCopied(List<ColumnValues> columns, int rows) throws IOException {
        check(columns, rows);
        if (pendingRows + rows > options.rowGroupRows()) {
            writeRowGroup();
        }
        pending.add(columns);
        pendingRows += rows;
        pendingBytes += columns.stream().mapToLong(ColumnValues::valueBytes).sum();
        if (pendingBytes >= MAX_ROW_GROUP_BYTES) {
            writeRowGroup();
        }
    }

    private void check(List<ColumnValues> columns, int rows) {
        if (columns.size() != schema.columns().size()) {
            throw new IllegalArgumentException("%d vectors for %d columns"
                    .formatted(columns.size(), schema.columns().size()));
        }
        for (int i = 0; i < columns.size(); i++) {
            Column column = schema.columns().get(i);
            if (columns.get(i).rows() != rows) {
                throw new IllegalArgumentException("Column '%s' has %d values for %d rows"
                        .formatted(column.name(), columns.get(i).rows(), rows));
            }
            for (ColumnPart part : columns.get(i).parts()) {
                check(column, part);
            }
        }
        long[] times = ((LongVector) vector(columns, tsPosition)).values();
        for (int i = 0; i < rows; i++) {
            if (times[i] < lastTime) {
                throw new IllegalArgumentException(
                        "Rows are not in time order: %d comes after %d".formatted(times[i], lastTime));
            }
            lastTime = times[i];
        }
        if (rows > 0) {
            firstTime = Math.min(firstTime, times[0]);
        }
    }

    private static void check(Column column, ColumnPart part) {
        switch (part) {
            case ColumnPart.Pages _p -> {
                if (column.index() != IndexKind.TEXT || column.required()) {
                    throw new IllegalArgumentException(
                            "Column '%s' is no optional text, so it cannot be copied".formatted(column.name()));
                }
            }
            case ColumnPart.InMemory(Vector vector) -> {
                if (!fits(column.type(), vector)) {
                    throw new IllegalArgumentException("Column '%s' of type %s got a %s"
                            .formatted(
                                    column.name(),
                                    column.type(),
                                    vector.getClass().getSimpleName()));
                }
                if (column.required() && !vector.nulls().isEmpty()) {
                    throw new IllegalArgumentException("Required column '%s' has a null".formatted(column.name()));
                }
            }
        }
    }

    private static boolean fits(ColumnType type, Vector vector) {
        return switch (vector) {
            case LongVector _v -> type == ColumnType.BIGINT || type == ColumnType.TIMESTAMP;
            case DoubleVector _v -> type == ColumnType.DOUBLE;
            case BooleanVector _v -> type == ColumnType.BOOLEAN;
            case StringVector _v -> type == ColumnType.VARCHAR;
            case MapVector _v -> type == ColumnType.MAP;
        };
    }

    private void writeRowGroup() throws IOException {
        if (pendingRows == 0) {
            return;
        }
        if (parquet.rowCount() == 0 && pendingRows >= options.minIndexedRows()) {
            index = Optional.of(new IndexWriter(schema));
        }
        List<ColumnValues> columns = new ArrayList<>();
        List<Optional<StringDictionary>> dictionaries = new ArrayList<>();
        for (int i = 0; i < schema.columns().size(); i++) {
            ColumnWork work = ColumnWork.begin(schema.columns().get(i).name(), ColumnWork.Part.DICTIONARY);
            int position = i;
            ColumnValues values = ColumnValues.concat(
                    pending.stream().map(slice -> slice.get(position)).toList());
            columns.add(values);
            dictionaries.add(
                    values.inMemory().orElse(null) instanceof StringVector strings
                            ? StringDictionary.build(strings)
                            : Optional.empty());
            work.commit();
        }
        int rows = pendingRows;
        pending.clear();
        pendingRows = 0;
        pendingBytes = 0;
        if (columns.stream().anyMatch(column -> column.inMemory().isEmpty())) {
            tokens = Optional.empty(); // Only the other LogBlocks know the terms of their pages
        }
        List<int[]> blockStarts = parquet.writeRowGroup(columns, dictionaries, rows);
        if (index.isPresent()) {
            addToIndex(index.get(), columns, dictionaries, blockStarts, rows);
        }
        if (tokens.isPresent()) {
            addTerms(tokens.get(), columns, dictionaries, rows);
        }
        if (hasStatistics) {
            addDistinct(columns, dictionaries, rows);
        }
    }

    /**
     * Adds distinct values of columns that queries compare and group by. Texts and fractions hardly are, and required
     * columns are not the tenant's own.
     */
    private void addDistinct(List<ColumnValues> columns, List<Optional<StringDictionary>> dictionaries, int rows) {
        for (int i = 0; i < columns.size(); i++) {
            Column column = schema.columns().get(i);
            if (!column.required() && (column.index() == IndexKind.KEYWORD || column.type() == ColumnType.BIGINT)) {
                distinct.computeIfAbsent(column.fieldId(), id -> new DistinctSketch.Builder())
                        .add(vector(columns, i), dictionaries.get(i), rows);
            }
        }
    }

    private static Vector vector(List<ColumnValues> columns, int position) {
        return columns.get(position).inMemory().orElseThrow();
    }

    private void addTerms(
            TokenFilterBuilder builder,
            List<ColumnValues> columns,
            List<Optional<StringDictionary>> dictionaries,
            int rows) {
        for (int i = 0; i < columns.size(); i++) {
            Column column = schema.columns().get(i);
            // For text columns, the index provides the tokens in the end.
            if (TokenFilterBuilder.isCovered(column) && (index.isEmpty() || column.index() != IndexKind.TEXT)) {
                builder.add(column, (StringVector) vector(columns, i), dictionaries.get(i), rows);
            }
        }
    }

    private void addToIndex(
            IndexWriter writer,
            List<ColumnValues> columns,
            List<Optional<StringDictionary>> dictionaries,
            List<int[]> blockStarts,
            int rows) {
        writer.addTimes((LongVector) vector(columns, tsPosition), rows);
        for (int i = 0; i < columns.size(); i++) {
            Column column = schema.columns().get(i);
            if (column.index() != IndexKind.NONE) {
                ColumnWork work = ColumnWork.begin(column.name(), ColumnWork.Part.TERMS);
                Optional<Vector> vector = columns.get(i).inMemory();
                if (vector.isPresent()) {
                    writer.addValues(
                            column, (StringVector) vector.get(), dictionaries.get(i), rows, blockStarts.get(i));
                } else {
                    addToIndex(writer, column, columns.get(i).parts(), blockStarts.get(i));
                }
                work.commit();
            }
        }
        writer.endRowGroup(rows);
    }

    private static void addToIndex(IndexWriter writer, Column column, List<ColumnPart> parts, int[] blockStarts) {
        writer.addBlocks(column, blockStarts);
        int row = 0;
        for (ColumnPart part : parts) {
            switch (part) {
                case ColumnPart.InMemory values -> writer.addPart(column, (StringVector) values.vector(), row);
                case ColumnPart.Pages pages ->
                    writer.addCopied(
                            column, pages.index(), pages.firstRow(), pages.endRow(), pages.from(), pages.to(), row);
            }
            row += part.rows();
        }
    }

    /** Writes the remaining rows, the index and the footer. The stream stays open. */
    public LogBlockSummary finish() throws IOException {
        writeRowGroup();
        Map<String, String> keyValues = new LinkedHashMap<>();
        keyValues.put(VERSION_KEY, VERSION);
        long indexBytes = 0;
        if (index.isPresent()) {
            tokens.ifPresent(index.get()::forEachTextTerm);
            IndexLocation location = index.get().finish(file);
            location.store(keyValues);
            indexBytes = location.coldLength() + location.hotLength();
        }
        parquet.finish(keyValues);
        return new LogBlockSummary(
                file.position(),
                parquet.rowCount(),
                indexBytes,
                new TimeRange(firstTime, lastTime),
                parquet.splitOffsets(),
                parquet.metrics(),
                sketches(),
                tokens.flatMap(TokenFilterBuilder::build));
    }

    private Map<Integer, DistinctSketch> sketches() {
        Map<Integer, DistinctSketch> sketches = new HashMap<>();
        distinct.forEach((fieldId, builder) -> sketches.put(fieldId, builder.build()));
        return sketches;
    }

    /** Frees buffers; does not close the stream. */
    @Override
    public void close() {
        pending.clear();
        pendingRows = 0;
        index = Optional.empty();
    }
}
