package io.cordwood.search.api;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.Gather;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.arrow.ArrowColumn;
import io.cordwood.search.arrow.ArrowWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes rows as a stream of Arrow, with their cursors as the last column. Not thread-safe. */
final class ArrowRows {
    static final String CONTENT_TYPE = "application/vnd.apache.arrow.stream";

    private final ArrowWriter writer;
    private final RowCursors cursors;

    /** @param after the cursor where the next page begins; it is metadata of the schema */
    ArrowRows(OutputStream out, List<QueryColumn> columns, RowCursors cursors, Optional<String> after)
            throws IOException {
        this.cursors = cursors;
        List<ArrowColumn> all = new ArrayList<>();
        columns.forEach(column -> all.add(new ArrowColumn(column.name(), column.type())));
        all.add(new ArrowColumn(RowWriter.CURSOR, ColumnType.VARCHAR));
        writer = new ArrowWriter(
                out, all, after.map(cursor -> Map.of("after", cursor)).orElse(Map.of()));
    }

    void write(RowChunk chunk) throws IOException {
        List<Vector> vectors = new ArrayList<>();
        chunk.vectors().forEach(vector -> vectors.add(Gather.of(vector, chunk.places())));
        vectors.add(cursors.encode(chunk.positions()));
        writer.write(vectors);
    }

    void end() throws IOException {
        writer.end();
    }
}
