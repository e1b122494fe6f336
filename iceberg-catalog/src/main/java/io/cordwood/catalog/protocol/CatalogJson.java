package io.cordwood.catalog.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.TableMetadata;

/**
 * JSON of the service's own endpoints, for client and server. Stateless, thread-safe.
 *
 * <p>Every reading method throws {@link IllegalArgumentException}, with a message for the caller, if the JSON is
 * malformed.
 */
public final class CatalogJson {
    private static final String QUOTA_BYTES = "quota-bytes-per-second";
    private static final String QUOTA_ROWS = "quota-rows-per-second";

    private CatalogJson() {}

    /** {@code {"<topicId>":{"<partition>":<offset>}}}. */
    public static JsonNode toJson(TableOffsets offsets) {
        ObjectNode json = Json.object();
        offsets.entries()
                .forEach((partition, offset) -> json.withObjectProperty(partition.topicId())
                        .put(Integer.toString(partition.partition()), offset));
        return json;
    }

    /** Reads {@link #toJson(TableOffsets)}. */
    public static TableOffsets offsets(JsonNode json) {
        return TableOffsets.fromJson(json);
    }

    /** Offsets by name, for instance of a stream or a tenant. */
    public static JsonNode offsetsByNameToJson(Map<String, TableOffsets> offsets) {
        ObjectNode json = Json.object();
        offsets.forEach((name, of) -> json.set(name, toJson(of)));
        return json;
    }

    /** Reads {@link #offsetsByNameToJson}; empty if it is absent. */
    public static Map<String, TableOffsets> offsetsByName(JsonNode json) {
        Map<String, TableOffsets> offsets = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : json.properties()) {
            offsets.put(entry.getKey(), TableOffsets.fromJson(entry.getValue()));
        }
        return offsets;
    }

    /** {@code {"archived-through":.., "tables":[{"tenant":..,"namespace":..,"metadata-location":..}], "floors":..}}. */
    public static JsonNode toJson(Pointers pointers) {
        ObjectNode json = Json.object();
        json.set("archived-through", toJson(TableOffsets.of(pointers.archivedThrough())));
        ArrayNode tables = json.putArray("tables");
        for (Pointers.TablePointer table : pointers.tables()) {
            tables.addObject()
                    .put("tenant", table.tenantId())
                    .put("namespace", table.namespace())
                    .put("metadata-location", table.metadataLocation());
        }
        json.set("floors", offsetsByNameToJson(pointers.floors()));
        return json;
    }

    /** Reads {@link #toJson(Pointers)}. */
    public static Pointers pointers(JsonNode json) {
        List<Pointers.TablePointer> tables = new ArrayList<>();
        for (JsonNode table : Json.array(json.path("tables"), "tables")) {
            tables.add(new Pointers.TablePointer(
                    Json.text(table, "tenant"), Json.text(table, "namespace"), Json.text(table, "metadata-location")));
        }
        return new Pointers(
                TableOffsets.fromJson(json.path("archived-through")).entries(),
                tables,
                offsetsByName(json.path("floors")));
    }

    /** {@code [{"name":..,"type":"varchar","index":"text"}]}. */
    public static ArrayNode columnsToJson(Collection<ColumnDefinition> columns) {
        ArrayNode json = Json.MAPPER.createArrayNode();
        for (ColumnDefinition column : columns) {
            json.addObject()
                    .put("name", column.name())
                    .put("type", Json.lowerCase(column.type()))
                    .put("index", Json.lowerCase(column.index()));
        }
        return json;
    }

    /** Reads {@link #columnsToJson}; without an index a varchar column is a keyword column. */
    public static List<ColumnDefinition> columns(JsonNode json) {
        List<ColumnDefinition> columns = new ArrayList<>();
        for (JsonNode column : Json.array(json, "columns")) {
            ColumnType type = Json.constant(ColumnType.class, Json.text(column, "type"), "type");
            IndexKind index = type == ColumnType.VARCHAR ? IndexKind.KEYWORD : IndexKind.NONE;
            if (column.has("index")) {
                index = Json.constant(IndexKind.class, Json.text(column, "index"), "index");
            }
            columns.add(new ColumnDefinition(Json.text(column, "name"), type, index));
        }
        return columns;
    }

    /**
     * A writer's view of a table: {@code {"uuid":..,"location":..,"metadata-location":..,"schema":"..",
     * "properties":{..}}}. The schema is text, so that a reader parses a schema that many tables share only once.
     */
    public static ObjectNode tableToJson(TableMetadata table) {
        ObjectNode json = Json.object()
                .put("uuid", table.uuid())
                .put("location", table.location())
                .put("metadata-location", table.metadataFileLocation())
                .put("schema", SchemaParser.toJson(table.schema()));
        ObjectNode properties = json.putObject("properties");
        table.properties().forEach(properties::put);
        return json;
    }

    /** Reads {@link #tableToJson}. */
    public static LoadedTable table(String tenantId, String stream, JsonNode json) {
        Schema schema = SchemaParser.fromJson(Json.text(json, "schema"));
        Map<String, String> properties = new HashMap<>();
        json.path("properties")
                .properties()
                .forEach(property ->
                        properties.put(property.getKey(), property.getValue().asText()));
        return LoadedTable.of(
                tenantId,
                stream,
                Json.text(json, "uuid"),
                Json.text(json, "location"),
                Json.text(json, "metadata-location"),
                schema,
                properties);
    }

    /** {@code {"tenant":..,"columns":[..],"new-table-columns":[..],"rows":{..}}}. */
    public static ObjectNode toJson(TableRequest request) {
        ObjectNode json = Json.object().put("tenant", request.tenantId());
        json.set("columns", columnsToJson(request.columns()));
        json.set("new-table-columns", columnsToJson(request.ofNewTable()));
        json.set("rows", offsetRangeToJson(request.rows()));
        return json;
    }

    /** {@code {"tables":[request]}}. */
    public static JsonNode tableRequestsToJson(List<TableRequest> requests) {
        ObjectNode json = Json.object();
        ArrayNode tables = json.putArray("tables");
        requests.forEach(request -> tables.add(toJson(request)));
        return json;
    }

    /** Reads {@link #tableRequestsToJson}. */
    public static List<TableRequest> tableRequests(JsonNode json) {
        List<TableRequest> requests = new ArrayList<>();
        for (JsonNode table : Json.array(json.path("tables"), "tables")) {
            OffsetRange rows = offsetRange(table.path("rows"))
                    .orElseThrow(() -> new IllegalArgumentException("Missing 'rows' in " + table));
            requests.add(new TableRequest(
                    Json.text(table, "tenant"), columns(table.path("columns")), newTableColumns(table), rows));
        }
        return requests;
    }

    /** The member {@code new-table-columns}; empty if it is absent. */
    public static List<ColumnDefinition> newTableColumns(JsonNode json) {
        return json.has("new-table-columns") ? columns(json.get("new-table-columns")) : List.of();
    }

    /** Reads {@link #tableToJson} or {@code {"floor":..}}. */
    public static EnsuredTable ensuredTable(String tenantId, String stream, JsonNode json) {
        return json.has("floor")
                ? EnsuredTable.deletedBelow(Json.number(json, "floor"))
                : EnsuredTable.of(table(tenantId, stream, json));
    }

    /** Reads {@code {"tables":[..]}}: for each request a table, a floor, or {@code {"failed":"<why>"}}. */
    public static List<TableReply> tableReplies(String stream, List<TableRequest> requests, JsonNode json) {
        JsonNode tables = Json.array(json.path("tables"), "tables");
        if (tables.size() != requests.size()) {
            throw new IllegalArgumentException(
                    "%d tables in answer to %d requests".formatted(tables.size(), requests.size()));
        }
        List<TableReply> replies = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            JsonNode table = tables.get(i);
            replies.add(
                    table.has("failed")
                            ? TableReply.failed(Json.text(table, "failed"))
                            : TableReply.of(ensuredTable(requests.get(i).tenantId(), stream, table)));
        }
        return replies;
    }

    /** {@code {"topic-id":..,"partition":..,"from":..,"to":..}}. */
    static JsonNode offsetRangeToJson(OffsetRange range) {
        return Json.object()
                .put("topic-id", range.partition().topicId())
                .put("partition", range.partition().partition())
                .put("from", range.from())
                .put("to", range.to());
    }

    /** Reads {@link #offsetRangeToJson}; empty if it is absent. */
    public static Optional<OffsetRange> offsetRange(JsonNode json) {
        return json.isMissingNode()
                ? Optional.empty()
                : Optional.of(new OffsetRange(
                        new PartitionId(Json.text(json, "topic-id"), (int) Json.number(json, "partition")),
                        Json.number(json, "from"),
                        Json.number(json, "to")));
    }

    /**
     * {@code {"id":..,"schema":..,"retention-days":..,"stream-retention-days":{"<stream>":..},
     * "quota-bytes-per-second":..,"quota-rows-per-second":..,"text-columns":{"<stream>":[..]}}}.
     */
    public static ObjectNode toJson(Tenant tenant) {
        ObjectNode json = Json.object().put("id", tenant.id()).put("schema", tenant.schemaName());
        tenant.retentionDays().ifPresent(days -> json.put("retention-days", days));
        if (!tenant.streamRetentionDays().isEmpty()) {
            json.set("stream-retention-days", Json.MAPPER.valueToTree(new TreeMap<>(tenant.streamRetentionDays())));
        }
        tenant.quota().bytesPerSecond().ifPresent(limit -> json.put(QUOTA_BYTES, limit));
        tenant.quota().rowsPerSecond().ifPresent(limit -> json.put(QUOTA_ROWS, limit));
        json.set("text-columns", textColumnsToJson(tenant.textColumns()));
        return json;
    }

    /** Reads {@link #toJson(Tenant)}; only the id is required. */
    public static Tenant tenant(JsonNode json) {
        Optional<Integer> retention = days(json, "retention-days");
        return new Tenant(
                Json.text(json, "id"),
                retention.map(OptionalInt::of).orElse(OptionalInt.empty()),
                daysByStream(json.path("stream-retention-days")),
                new Quota(limit(json, QUOTA_BYTES), limit(json, QUOTA_ROWS)),
                textColumns(json.path("text-columns")));
    }

    private static OptionalLong limit(JsonNode json, String member) {
        return Json.wholeNumber(json, member).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    private static Optional<Integer> days(JsonNode json, String member) {
        return Json.wholeNumber(json, member).map(days -> {
            if (days > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("Member '%s' is too large".formatted(member));
            }
            return days.intValue();
        });
    }

    private static Map<String, Integer> daysByStream(JsonNode json) {
        if (!json.isMissingNode() && !json.isObject()) {
            throw new IllegalArgumentException("Member 'stream-retention-days' is not a JSON object");
        }
        Map<String, Integer> days = new TreeMap<>();
        for (Map.Entry<String, JsonNode> stream : json.properties()) {
            days(json, stream.getKey()).ifPresent(value -> days.put(stream.getKey(), value));
        }
        return days;
    }

    /**
     * {@code {"tenant":..,"started-millis":..,"locations":[..],"completed-millis":..}}, the last only if it is
     * complete.
     */
    public static ObjectNode toJson(TenantDeletion deletion) {
        ObjectNode json =
                Json.object().put("tenant", deletion.tenantId()).put("started-millis", deletion.startedMillis());
        deletion.locations().forEach(json.putArray("locations")::add);
        deletion.completedMillis().ifPresent(completed -> json.put("completed-millis", completed));
        return json;
    }

    /** {@code {"service-millis":.., "append-millis":..}}; the latter is absent while unknown. */
    public static ObjectNode timeToJson(ClockReadings time) {
        ObjectNode json = Json.object().put("service-millis", time.service().toEpochMilli());
        time.appended().ifPresent(appended -> json.put("append-millis", appended.toEpochMilli()));
        return json;
    }

    /** Reads {@link #timeToJson}. */
    public static ClockReadings time(JsonNode json) {
        return new ClockReadings(
                Instant.ofEpochMilli(Json.number(json, "service-millis")),
                json.has("append-millis")
                        ? Optional.of(Instant.ofEpochMilli(Json.number(json, "append-millis")))
                        : Optional.empty());
    }

    /** Reads {@link #toJson(TenantDeletion)}. */
    public static TenantDeletion deletion(JsonNode json) {
        return new TenantDeletion(
                Json.text(json, "tenant"),
                Json.wholeNumber(json, "started-millis")
                        .orElseThrow(() -> new IllegalArgumentException("Member 'started-millis' is missing")),
                Json.texts(json, "locations"),
                Json.wholeNumber(json, "completed-millis").map(OptionalLong::of).orElse(OptionalLong.empty()));
    }

    /** {@code {"<stream>":["<column>"]}}. */
    public static JsonNode textColumnsToJson(Map<String, List<String>> textColumns) {
        return Json.MAPPER.valueToTree(new TreeMap<>(textColumns));
    }

    /** Reads {@link #textColumnsToJson}; empty if it is absent. */
    public static Map<String, List<String>> textColumns(JsonNode json) {
        Map<String, List<String>> textColumns = new TreeMap<>();
        for (Map.Entry<String, JsonNode> stream : json.properties()) {
            textColumns.put(stream.getKey(), Json.texts(json, stream.getKey()));
        }
        return textColumns;
    }
}
