package io.cordwood.standalone.tail;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.LogBlockScan;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.scan.RowSet;
import io.cordwood.logblock.scan.ScanDirection;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.scan.Timestamps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads rows from LogBlocks of one schema. Thread-safe. */
final class RowReader {
    private static final String TWIN_SUFFIX = ".double";
    private static final String KAFKA_PREFIX = "_kafka_";

    private final LogBlockSchema schema;
    private final Optional<TextMatch> match;
    private final Predicate predicate;

    RowReader(LogBlockSchema schema, Optional<TextMatch> match) {
        this.schema = schema;
        this.match = match;
        this.predicate = match.map(condition -> condition.predicate(schema)).orElse(Predicate.TRUE);
    }

    /** The rows that match. */
    List<TailRow> read(LogBlock logBlock) {
        try {
            List<TailRow> rows = new ArrayList<>();
            LogBlockScan scan = logBlock.scan(
                    logBlock.rows(), predicate, ScanDirection.ALL, ReadOptions.DEFAULTS, new ReadMetrics());
            for (Optional<RowSet> found = scan.next(); found.isPresent(); found = scan.next()) {
                if (!found.get().isEmpty()) {
                    add(rows, scan, found.get().toArray());
                }
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read rows in memory", e);
        }
    }

    private void add(List<TailRow> rows, LogBlockScan scan, int[] found) throws IOException {
        Map<String, Vector> vectors = new LinkedHashMap<>();
        for (Column column : schema.columns()) {
            vectors.put(column.name(), scan.cursor(column).read(found, 0, found.length));
        }
        for (int i = 0; i < found.length; i++) {
            TailRow row = row(vectors, i);
            if (match.isEmpty() || match.get().admits(schema, row)) {
                rows.add(row);
            }
        }
    }

    private TailRow row(Map<String, Vector> vectors, int position) {
        Map<String, Object> columns = new LinkedHashMap<>();
        for (Column column : schema.columns()) {
            String name = column.name();
            if (!name.equals(LogBlockSchema.TS)
                    && !name.equals(LogBlockSchema.ATTRIBUTES)
                    && !name.startsWith(KAFKA_PREFIX)) {
                value(column, vectors.get(name), position)
                        .ifPresent(value -> columns.putIfAbsent(shownAs(column), value));
            }
        }
        return new TailRow(
                number(vectors, LogBlockSchema.TS, position),
                Math.toIntExact(number(vectors, LogBlockSchema.KAFKA_PARTITION, position)),
                number(vectors, LogBlockSchema.KAFKA_OFFSET, position),
                number(vectors, LogBlockSchema.KAFKA_ORDINAL, position),
                columns,
                attributes(vectors.get(LogBlockSchema.ATTRIBUTES), position));
    }

    /** A bigint column and its twin for other numbers are shown as one column. */
    private String shownAs(Column column) {
        String name = column.name();
        if (column.type() == ColumnType.DOUBLE && name.endsWith(TWIN_SUFFIX)) {
            String twin = name.substring(0, name.length() - TWIN_SUFFIX.length());
            if (schema.column(twin)
                    .filter(other -> other.type() == ColumnType.BIGINT)
                    .isPresent()) {
                return twin;
            }
        }
        return name;
    }

    private static long number(Map<String, Vector> vectors, String column, int position) {
        return ((LongVector) vectors.get(column)).values()[position];
    }

    private static Optional<Object> value(Column column, Vector vector, int position) {
        if (vector.nulls().isNull(position)) {
            return Optional.empty();
        }
        return switch (vector) {
            case LongVector longs
            when column.type() == ColumnType.TIMESTAMP -> Optional.of(Timestamps.text(longs.values()[position]));
            case LongVector longs -> Optional.of(longs.values()[position]);
            case DoubleVector doubles -> Optional.of(doubles.values()[position]);
            case BooleanVector booleans -> Optional.of(booleans.values()[position]);
            case StringVector strings -> Optional.of(strings.string(position));
            case MapVector maps -> Optional.of(entries(maps, position));
        };
    }

    private static Map<String, String> attributes(Vector vector, int position) {
        return vector == null || vector.nulls().isNull(position) ? Map.of() : entries((MapVector) vector, position);
    }

    private static Map<String, String> entries(MapVector maps, int position) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int i = maps.entryOffsets()[position]; i < maps.entryOffsets()[position + 1]; i++) {
            if (!maps.values().nulls().isNull(i)) {
                entries.put(maps.keys().string(i), maps.values().string(i));
            }
        }
        return entries;
    }
}
