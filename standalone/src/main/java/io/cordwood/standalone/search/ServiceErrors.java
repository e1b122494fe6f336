package io.cordwood.standalone.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.tail.TextFormat;

/** Errors of the search service, for people. Stateless. */
final class ServiceErrors {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INDENT = "  ";

    private ServiceErrors() {}

    /**
     * What an answer with an error says; of a query that is malformed, also where.
     *
     * @param service address of the service
     * @param query the query that was sent
     */
    static CordwoodException of(String service, int status, String body, String query) {
        JsonNode error = error(body);
        String message = error.path("message").asText();
        if (message.isEmpty()) {
            return new CordwoodException(
                    "what answers at %s is no search service: status %d".formatted(service, status));
        }
        StringBuilder text = new StringBuilder(TextFormat.printable(message));
        if (error.path("code").asText().equals("invalid_query") && error.has("position")) {
            text.append(System.lineSeparator())
                    .append(marked(query, error.path("position").asInt()));
        }
        if (error.has("sql")) {
            text.append(System.lineSeparator())
                    .append(INDENT)
                    .append(TextFormat.printable(error.path("sql").asText()));
        }
        return new CordwoodException(text.toString());
    }

    private static JsonNode error(String body) {
        try {
            return JSON.readTree(body).path("error");
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        }
    }

    /** The query, and below it a caret under a character; each character takes one column. */
    private static String marked(String query, int position) {
        int at = Math.clamp(position, 0, query.length());
        String shown = query.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return INDENT + shown + System.lineSeparator() + INDENT + " ".repeat(query.codePointCount(0, at)) + '^';
    }
}
