package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.search.LimitExceededException;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * {@code search}: the newest or oldest rows. One JSON object a line, and a last line with the next cursor; or a stream
 * of Arrow.
 */
final class SearchOperation implements Operation {
    static final String NDJSON = "application/x-ndjson";

    /**
     * The rows to write.
     *
     * @param columns their columns
     * @param rows reads the rows after the first ones
     * @param first the first rows; empty if there are none at all
     * @param after the cursor where the next page begins; empty if there is none
     */
    private record Page(List<QueryColumn> columns, RowAnswer rows, Optional<RowChunk> first, Optional<String> after) {}

    @Override
    public Answer prepare(RequestFields fields) {
        SearchRequest request = SearchRequest.of(fields);
        return (asked, output) -> write(request, asked, output);
    }

    private static void write(SearchRequest request, Asked asked, Output output) throws IOException {
        RowQuestion question = request.question(asked);
        try (RowAnswer rows = find(asked, question)) {
            // Before the body begins, so that most failures have a status
            Page page = new Page(
                    question.columns(), rows, rows.nextChunk(), rows.next().map(asked.cursors()::encode));
            if (output.isAccepted(ArrowRows.CONTENT_TYPE)) {
                writeArrow(page, asked, output);
            } else {
                writeLines(page, asked, output);
            }
        }
    }

    private static void writeArrow(Page page, Asked asked, Output output) throws IOException {
        ArrowRows writer =
                new ArrowRows(output.begin(ArrowRows.CONTENT_TYPE), page.columns(), asked.cursors(), page.after());
        for (Optional<RowChunk> chunk = page.first();
                chunk.isPresent();
                chunk = page.rows().nextChunk()) {
            writer.write(chunk.get());
        }
        writer.end();
    }

    private static void writeLines(Page page, Asked asked, Output output) throws IOException {
        try (JsonGenerator json = output.json(NDJSON)) {
            RowWriter writer = new RowWriter(json, page.columns(), asked.cursors());
            for (Optional<RowChunk> chunk = page.first();
                    chunk.isPresent();
                    chunk = page.rows().nextChunk()) {
                writer.write(chunk.get());
            }
            json.writeStartObject();
            ShownStatistics.write(json, asked);
            if (page.after().isPresent()) {
                json.writeStringField("after", page.after().get());
            }
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static RowAnswer find(Asked asked, RowQuestion question) {
        try {
            return RowSearch.find(asked.scan(), question);
        } catch (LimitExceededException e) {
            throw Failures.beyondLimit(e, EqualSql.of(asked.table(), question));
        }
    }
}
