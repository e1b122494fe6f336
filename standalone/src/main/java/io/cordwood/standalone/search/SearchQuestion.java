package io.cordwood.standalone.search;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Which rows of a stream to find: the newest that match. Immutable.
 *
 * @param query the query, in the language of the search bar
 * @param from time from which on, as the service takes it
 * @param to time before which
 * @param limit maximum number of rows
 */
public record SearchQuestion(String query, Optional<String> from, Optional<String> to, int limit) {
    private static final ObjectMapper JSON = new ObjectMapper();

    String toJson() {
        ObjectNode body = JSON.createObjectNode();
        body.put("query", query);
        from.ifPresent(time -> body.put("from", time));
        to.ifPresent(time -> body.put("to", time));
        body.put("limit", limit);
        body.put("order", "desc");
        return body.toString();
    }
}
