package io.cordwood.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.cordwood.logblock.ColumnType;
import io.cordwood.logblock.IndexKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * {@link StreamColumn}s as JSON: {@code [{"name":"status","type":"bigint","index":"none"}]}. The catalog's database
 * holds it too. Stateless, thread-safe.
 */
public final class StreamColumnParser {
    private StreamColumnParser() {}

    public static ArrayNode toJson(Collection<StreamColumn> columns) {
        ArrayNode json = Json.MAPPER.createArrayNode();
        for (StreamColumn column : columns) {
            json.addObject()
                    .put("name", column.name())
                    .put("type", CatalogJson.lowerCase(column.type()))
                    .put("index", CatalogJson.lowerCase(column.index()));
        }
        return json;
    }

    /**
     * Reads {@link #toJson} as text.
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
     * Reads {@link #toJson}.
     *
     * @throws IllegalArgumentException if the JSON is malformed
     */
    public static List<StreamColumn> fromJson(JsonNode json) {
        List<StreamColumn> columns = new ArrayList<>();
        for (JsonNode column : CatalogJson.array(json, "columns")) {
            columns.add(new StreamColumn(
                    CatalogJson.text(column, "name"),
                    CatalogJson.constant(ColumnType.class, CatalogJson.text(column, "type"), "type"),
                    CatalogJson.constant(IndexKind.class, CatalogJson.text(column, "index"), "index")));
        }
        return columns;
    }
}
