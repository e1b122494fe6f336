package io.cordwood.search.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cordwood.query.search.RowAnswer;
import io.cordwood.query.search.RowChunk;
import io.cordwood.query.search.RowQuestion;
import io.cordwood.query.search.RowSearch;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.util.Optional;

/** {@code explain}: asks a search and returns, in place of its rows, what it read and pruned, and the equal SQL. */
final class ExplainOperation implements Operation {
    @Override
    public Answer prepare(RequestFields fields) {
        SearchRequest request = SearchRequest.of(fields);
        return (asked, output) -> write(request, asked, output);
    }

    private static void write(SearchRequest request, Asked asked, Output output) throws IOException {
        RowQuestion question = request.question(asked);
        long rows = 0;
        try (RowAnswer answer = RowSearch.find(asked.scan(), question)) {
            for (Optional<RowChunk> chunk = answer.nextChunk(); chunk.isPresent(); chunk = answer.nextChunk()) {
                rows += chunk.get().size();
            }
        }
        try (JsonGenerator json = output.json("application/json")) {
            json.writeStartObject();
            json.writeStringField("sql", EqualSql.of(asked.table(), question));
            json.writeNumberField("rows", rows);
            ShownStatistics.write(json, asked);
            json.writeEndObject();
        }
    }
}
