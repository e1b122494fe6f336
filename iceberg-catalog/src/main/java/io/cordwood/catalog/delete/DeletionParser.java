package io.cordwood.catalog.delete;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** JSON of deletions and of written delete files, for client and server. Stateless, thread-safe. */
public final class DeletionParser {
    private DeletionParser() {}

    /**
     * {@code {"id":.., "tenant":.., "stream":.., .., "rows":.., "data-files":[..], "snapshot-id":.., "gone-at":..}}.
     */
    public static ObjectNode toJson(Deletion deletion) {
        ObjectNode json = Json.object()
                .put("id", deletion.id())
                .put("tenant", deletion.tenantId())
                .put("stream", deletion.stream())
                .put("predicate", deletion.predicate())
                .put("query", deletion.query())
                .put("user", deletion.user())
                .put("requested-at", deletion.requestedAt())
                .put("rows", deletion.rows());
        deletion.dataFiles().forEach(json.putArray("data-files")::add);
        deletion.snapshotId().ifPresent(snapshot -> json.put("snapshot-id", snapshot));
        deletion.goneAt().ifPresent(at -> json.put("gone-at", at));
        return json;
    }

    /**
     * Parses the JSON of {@link #toJson(Deletion)}.
     *
     * @throws IllegalArgumentException if the JSON is malformed
     */
    public static Deletion deletion(JsonNode json) {
        return new Deletion(
                Json.text(json, "id"),
                Json.text(json, "tenant"),
                Json.text(json, "stream"),
                Json.text(json, "predicate"),
                Json.text(json, "query"),
                Json.text(json, "user"),
                number(json, "requested-at"),
                number(json, "rows"),
                Json.texts(json, "data-files"),
                optionalNumber(json, "snapshot-id"),
                optionalNumber(json, "gone-at"));
    }

    /** {@code {"deletions":[..]}}. */
    public static JsonNode toJson(List<Deletion> deletions) {
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("deletions");
        deletions.forEach(deletion -> array.add(toJson(deletion)));
        return json;
    }

    /** Reads {@link #toJson(List)}. */
    public static List<Deletion> deletions(JsonNode json) {
        List<Deletion> deletions = new ArrayList<>();
        json.path("deletions").forEach(each -> deletions.add(deletion(each)));
        return deletions;
    }

    /** {@code {"location":.., "size":.., "rows":.., "data-files":[..]}} as UTF-8. */
    public static byte[] bytes(WrittenDeletes written) {
        ObjectNode json = Json.object()
                .put("location", written.location())
                .put("size", written.sizeInBytes())
                .put("rows", written.rowCount());
        written.dataFiles().forEach(json.putArray("data-files")::add);
        return Json.bytes(json);
    }

    /** Reads {@link #bytes}. */
    public static WrittenDeletes writtenDeletes(byte[] bytes) {
        JsonNode json = Json.parse(bytes);
        return new WrittenDeletes(
                Json.text(json, "location"),
                number(json, "size"),
                number(json, "rows"),
                Json.texts(json, "data-files"));
    }

    private static long number(JsonNode json, String member) {
        return optionalNumber(json, member)
                .orElseThrow(() -> new IllegalArgumentException("Member '%s' is missing".formatted(member)));
    }

    private static OptionalLong optionalNumber(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (value.isMissingNode()) {
            return OptionalLong.empty();
        }
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw new IllegalArgumentException("Member '%s' is not a whole number".formatted(member));
        }
        return OptionalLong.of(value.longValue());
    }
}
