package io.cordwood.search.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.search.http.RequestFields;
import java.util.Optional;

/** Rows of an answer as lines of JSON, as many as fit. Not thread-safe. */
final class Rows {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TokenBudget budget;
    private final CutValues values;
    private int count;
    private Optional<String> lastCursor = Optional.empty();
    private Optional<String> after = Optional.empty();
    private boolean isCut;

    Rows(RequestFields arguments) {
        this.budget = TokenBudget.of(arguments);
        this.values = CutValues.of(arguments);
    }

    static InputSchema describe(InputSchema schema) {
        return TokenBudget.describe(CutValues.describe(schema));
    }

    /** Takes a line of the answer. Returns whether it takes more. */
    boolean take(String line) {
        ObjectNode row = object(line);
        Optional<String> cursor = Optional.ofNullable(row.path("_cursor").textValue());
        if (cursor.isEmpty()) {
            // The end of the answer
            after = Optional.ofNullable(row.path("after").textValue());
            return true;
        }
        values.cut(row);
        isCut = !budget.add(row.toString());
        if (!isCut) {
            count++;
            lastCursor = cursor;
        }
        return !isCut;
    }

    private static ObjectNode object(String line) {
        try {
            return (ObjectNode) JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An answer is not JSON", e);
        }
    }

    /** Says that the next row does not fit. */
    void cutHere() {
        isCut = true;
    }

    /** Where the next page begins; empty if there is none. */
    Optional<String> next() {
        return isCut ? lastCursor : after;
    }

    int count() {
        return count;
    }

    boolean isCut() {
        return isCut;
    }

    /** The rows, and what there is to say about them. */
    String closedBy(String what) {
        return budget.closedBy("-- " + what + budget.note(isCut) + values.note());
    }
}
