package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.search.LimitExceededException;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.Optional;

/** {@code search}: the newest or oldest rows, one JSON object a line, and a last line with the next cursor. */
final class SearchOperation implements Operation {
    static final String NDJSON = "application/x-ndjson";

    @Override
    public Answer prepare(RequestFields fields) {
        SearchRequest request = SearchRequest.of(fields);
        return (asked, output) -> write(request, asked, output);
    }

    private static void write(SearchRequest request, Asked asked, Output output) throws IOException {
        RowQuestion question = request.question(asked);
        try (RowAnswer rows = find(asked, question)) {
            Optional<RowChunk> chunk = rows.nextChunk();
            // Not before the first values are read, so that most failures have a status
            try (JsonGenerator json = output.json(NDJSON)) {
                RowWriter writer = new RowWriter(json, question.columns(), asked.cursors());
                for (; chunk.isPresent(); chunk = rows.nextChunk()) {
                    writer.write(chunk.get());
                }
                json.writeStartObject();
                ShownStatistics.write(json, asked);
                if (rows.next().isPresent()) {
                    json.writeStringField(
                            "after", asked.cursors().encode(rows.next().get()));
                }
                json.writeEndObject();
                json.writeRaw('\n');
            }
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
