package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.scan.Timestamps;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.table.QueryColumn;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Writes rows as JSON objects, without columns that are null. Not thread-safe. */
final class RowWriter {
    static final String CURSOR = "_cursor";

    private final JsonGenerator json;
    private final List<QueryColumn> columns;
    private final Optional<RowCursors> cursors;
    private final String linePrefix;

    /** Writes each row as a line. */
    RowWriter(JsonGenerator json, List<QueryColumn> columns, RowCursors cursors) {
        this(json, columns, cursors, "");
    }

    /** Writes each row as a line with a prefix. */
    RowWriter(JsonGenerator json, List<QueryColumn> columns, RowCursors cursors, String linePrefix) {
        this(json, columns, Optional.of(cursors), linePrefix);
    }

    private RowWriter(JsonGenerator json, List<QueryColumn> columns, Optional<RowCursors> cursors, String linePrefix) {
        this.json = json;
        this.columns = columns;
        this.cursors = cursors;
        this.linePrefix = linePrefix;
    }

    /** Writes each row as a line, without its cursor. */
    static RowWriter withoutCursors(JsonGenerator json, List<QueryColumn> columns) {
        return new RowWriter(json, columns, Optional.empty(), "");
    }

    void write(RowChunk chunk) throws IOException {
        Optional<StringVector> texts = cursorsOf(chunk);
        for (int row = 0; row < chunk.size(); row++) {
            write(chunk, texts, row);
        }
    }

    /** Writes the rows from the last to the first. */
    void writeReversed(RowChunk chunk) throws IOException {
        Optional<StringVector> texts = cursorsOf(chunk);
        for (int row = chunk.size() - 1; row >= 0; row--) {
            write(chunk, texts, row);
        }
    }

    private Optional<StringVector> cursorsOf(RowChunk chunk) {
        return cursors.map(encoder -> encoder.encode(chunk.positions()));
    }

    private void write(RowChunk chunk, Optional<StringVector> texts, int row) throws IOException {
        json.writeRaw(linePrefix);
        json.writeStartObject();
        int place = chunk.places()[row];
        for (int column = 0; column < columns.size(); column++) {
            Vector vector = chunk.vectors().get(column);
            if (!vector.isNull(place)) {
                json.writeFieldName(columns.get(column).name());
                write(vector, columns.get(column).type(), place);
            }
        }
        if (texts.isPresent()) {
            json.writeFieldName(CURSOR);
            write(texts.get(), row);
        }
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private void write(Vector vector, ColumnType type, int row) throws IOException {
        switch (vector) {
            case LongVector longs
            when type == ColumnType.TIMESTAMP -> json.writeString(Timestamps.text(longs.values()[row]));
            case LongVector longs -> json.writeNumber(longs.values()[row]);
            case DoubleVector doubles -> json.writeNumber(doubles.values()[row]);
            case BooleanVector booleans -> json.writeBoolean(booleans.values()[row]);
            case StringVector strings -> write(strings, row);
            case MapVector maps -> write(maps, row);
        }
    }

    private void write(StringVector strings, int position) throws IOException {
        int slot = strings.slot(position);
        int from = strings.offsets()[slot];
        json.writeUTF8String(strings.bytes(), from, strings.offsets()[slot + 1] - from);
    }

    private void write(MapVector maps, int row) throws IOException {
        json.writeStartObject();
        for (int entry = maps.entryOffsets()[row]; entry < maps.entryOffsets()[row + 1]; entry++) {
            json.writeFieldName(maps.keys().string(entry));
            if (maps.values().isNull(entry)) {
                json.writeNull();
            } else {
                write(maps.values(), entry);
            }
        }
        json.writeEndObject();
    }
}
