package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.search.PageStart;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowPosition;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code context}: the rows around a row, in order, of all rows or of those that share some of its values. */
final class ContextOperation implements Operation {
    private static final int DEFAULT_ROWS = 50;
    private static final int MAX_ROWS = 1_000;
    private static final int MAX_SAME = 10;

    private record Request(String row, int before, int after, List<String> same) {}

    @Override
    public Answer prepare(RequestFields fields) {
        Request request = new Request(
                fields.text("row")
                        .orElseThrow(() -> ApiException.invalid("'row' is missing: send the _cursor of a row")),
                fields.integer("before", 0, MAX_ROWS).orElse(DEFAULT_ROWS),
                fields.integer("after", 0, MAX_ROWS).orElse(DEFAULT_ROWS),
                fields.texts("same").orElse(List.of()));
        fields.requireNoOthers();
        if (request.same().size() > MAX_SAME) {
            throw ApiException.invalid("'same' has more than %d columns".formatted(MAX_SAME));
        }
        return (asked, output) -> write(request, asked, output);
    }

    private static void write(Request request, Asked asked, Output output) throws IOException {
        RowPosition position = asked.cursors().decode("row", request.row());
        List<QueryColumn> same = request.same().stream()
                .map(name -> VisibleColumns.named(asked.table(), name))
                .toList();
        ScanFilter filter = new ScanFilter(TimeRange.ALL, SameValues.of(same, row(asked, position, same)), true);
        List<QueryColumn> columns = SearchRequest.shown(asked.table());
        List<RowChunk> earlier = request.before() == 0
                ? List.of()
                : chunks(
                        asked,
                        new RowQuestion(
                                filter, true, request.before(), Optional.of(PageStart.after(position, 1)), columns));
        RowQuestion later =
                new RowQuestion(filter, false, request.after() + 1, Optional.of(PageStart.at(position)), columns);
        try (RowAnswer rows = RowSearch.find(asked.scan(), later);
                JsonGenerator json = output.json(SearchOperation.NDJSON)) {
            RowWriter writer = new RowWriter(json, columns, asked.cursors());
            for (RowChunk chunk : earlier.reversed()) {
                writer.writeReversed(chunk);
            }
            for (Optional<RowChunk> chunk = rows.nextChunk(); chunk.isPresent(); chunk = rows.nextChunk()) {
                writer.write(chunk.get());
            }
            json.writeStartObject();
            ShownStatistics.write(json, asked);
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    /** The row at a position. */
    private static RowChunk row(Asked asked, RowPosition position, List<QueryColumn> columns) {
        RowQuestion question = new RowQuestion(ScanFilter.ANY, false, 1, Optional.of(PageStart.at(position)), columns);
        try (RowAnswer found = RowSearch.find(asked.scan(), question)) {
            return found.nextChunk()
                    .filter(chunk -> chunk.positions().getFirst().equals(position))
                    .orElseThrow(() -> new ApiException(
                            404, "not_found", "The row no longer exists: it was deleted or has expired"));
        }
    }

    private static List<RowChunk> chunks(Asked asked, RowQuestion question) {
        List<RowChunk> chunks = new ArrayList<>();
        try (RowAnswer found = RowSearch.find(asked.scan(), question)) {
            for (Optional<RowChunk> chunk = found.nextChunk(); chunk.isPresent(); chunk = found.nextChunk()) {
                chunks.add(chunk.get());
            }
        }
        return chunks;
    }
}
