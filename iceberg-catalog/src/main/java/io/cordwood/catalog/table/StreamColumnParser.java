package io.cordwood.catalog.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * {@link StreamColumn}s as JSON: {@code [{"name":"status","type":"bigint","index":"none"}]}. The catalog's database
 * uses the same form. Stateless, thread-safe.
 */
public final class StreamColumnParser {
    private StreamColumnParser() {}

    public static ArrayNode toJson(Collection<StreamColumn> columns) {
        ArrayNode json = Json.MAPPER.createArrayNode();
        for (StreamColumn column : columns) {
            json.addObject()
                    .put("name", column.name())
                    .put("type", Json.lowerCase(column.type()))
                    .put("index", Json.lowerCase(column.index()));
        }
        return json;
    }

    /**
     * Parses {@link #toJson} as text.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    public static List<StreamColumn> fromJson(String json) {
        try {
            return fromJson(Json.MAPPER.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not the columns of a stream: " + json, e);
        }
    }

    /**
     * Parses {@link #toJson}.
     *
     * @throws IllegalArgumentException if the JSON is malformed
     */
    public static List<StreamColumn> fromJson(JsonNode json) {
        List<StreamColumn> columns = new ArrayList<>();
        for (JsonNode column : Json.array(json, "columns")) {
            columns.add(new StreamColumn(
                    Json.text(column, "name"),
                    Json.constant(ColumnType.class, Json.text(column, "type"), "type"),
                    Json.constant(IndexKind.class, Json.text(column, "index"), "index")));
        }
        return columns;
    }
}
