package io.cordwood.standalone.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.tail.TextFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A row as the search service sends it. Immutable.
 *
 * @param json the JSON object, on one line
 * @param cursor its position, which no other row has; empty if the line is no row
 * @param members its columns
 */
record SearchRow(String json, String cursor, JsonNode members) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CURSOR = "_cursor";

    /** @throws CordwoodException if it is no JSON object */
    static SearchRow parse(String line) {
        try {
            JsonNode members = JSON.readTree(line);
            if (members.isObject()) {
                return new SearchRow(line, members.path(CURSOR).asText(), members);
            }
        } catch (JsonProcessingException e) {
            throw new CordwoodException("the search service sent a line that is not JSON", e);
        }
        throw new CordwoodException("the search service sent a line that is no JSON object");
    }

    boolean isRow() {
        return !cursor.isEmpty();
    }

    /** Appends it as {@code bin/cordwood tail} prints a row. */
    void appendText(StringBuilder line) {
        Map<String, Object> shown = new LinkedHashMap<>();
        members.properties().forEach(column -> {
            if (!column.getKey().equals(LogBlockSchema.ATTRIBUTES)) {
                shown.put(column.getKey(), text(column.getValue()));
            }
        });
        // A column wins over a member without one
        members.path(LogBlockSchema.ATTRIBUTES)
                .properties()
                .forEach(attribute -> shown.putIfAbsent(attribute.getKey(), text(attribute.getValue())));
        shown.remove(CURSOR);
        Object time = shown.remove(LogBlockSchema.TS);
        TextFormat.append(time == null ? "" : time.toString(), shown, line);
    }

    private static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }
}
