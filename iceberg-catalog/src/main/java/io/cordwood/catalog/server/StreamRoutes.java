package io.cordwood.catalog.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.OffsetStore;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.TopicStore;
import io.cordwood.catalog.server.table.ArchivedCopies;
import io.cordwood.catalog.server.table.TableProvisioning;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pointers, archived-through positions and tables of streams, under {@code /cordwood/v1}. Thread-safe. */
final class StreamRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(StreamRoutes.class);
    private static final String STREAM = "/cordwood/v1/streams/{stream}";
    private static final Permission INGEST = Permission.OPERATOR.or(ServiceRole.INGEST);
    /** Pointers come with archived-through, which tells of the traffic of all tenants. */
    private static final Permission POINTERS =
            Permission.OPERATOR.or(ServiceRole.COMPACTOR, ServiceRole.QUERY, ServiceRole.SEARCH);

    /** Characters of metadata after which a reply ends. */
    private static final int MAX_METADATA = 4 << 20;

    private final Database database;
    private final JdbcCatalog catalog;
    private final TableProvisioning provisioning;
    private final ArchivedCopies copies;

    StreamRoutes(Database database, JdbcCatalog catalog, TableProvisioning provisioning, ArchivedCopies copies) {
        this.database = database;
        this.catalog = catalog;
        this.provisioning = provisioning;
        this.copies = copies;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", STREAM + "/pointers", POINTERS, this::allPointers),
                new Route("POST", STREAM + "/pointers", POINTERS, this::pointers).withLargeBody(),
                new Route(
                        "GET",
                        STREAM + "/archived-through",
                        Permission.OPERATOR.or(ServiceRole.INGEST, ServiceRole.COMPACTOR),
                        this::archivedThrough),
                new Route("POST", STREAM + "/archived-through", INGEST, this::raiseArchivedThrough),
                new Route("GET", STREAM + "/flush-requests", INGEST, this::flushRequests),
                new Route(
                        "POST",
                        STREAM + "/flush-requests",
                        Permission.OPERATOR.or(ServiceRole.QUERY),
                        this::requestFlush),
                new Route("POST", STREAM + "/floors", INGEST, this::raiseFloors),
                new Route("PUT", STREAM + "/topic", INGEST, this::setTopic),
                new Route("POST", STREAM + "/table", INGEST, this::table),
                new Route("POST", STREAM + "/tables/states", INGEST, this::tableStates),
                new Route("POST", STREAM + "/tables", INGEST, this::ensureTables).withLargeBody(),
                new Route("POST", "/cordwood/v1/tables", INGEST, this::ensureTable).withLargeBody());
    }

    private Reply allPointers(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        Pointers pointers = database.read(connection -> PointerStore.all(connection, stream));
        return JsonReply.of(CatalogJson.toJson(pointers));
    }

    private Reply pointers(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        Set<String> tenantIds = new TreeSet<>(Json.texts(Json.parse(call.body()), "tenants"));
        Pointers pointers = database.read(connection -> PointerStore.of(connection, stream, tenantIds));
        return JsonReply.of(CatalogJson.toJson(pointers));
    }

    private Reply archivedThrough(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        TableOffsets offsets = database.read(connection -> OffsetStore.archivedThrough(connection, stream));
        return JsonReply.of(CatalogJson.toJson(offsets));
    }

    private Reply raiseArchivedThrough(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        TableOffsets offsets = CatalogJson.offsets(Json.parse(call.body()));
        TableOffsets raised = database.write(connection -> {
            OffsetStore.raiseArchivedThrough(connection, stream, offsets);
            return OffsetStore.archivedThrough(connection, stream);
        });
        copies.put(stream, raised);
        return JsonReply.of(CatalogJson.toJson(raised));
    }

    private Reply flushRequests(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        return JsonReply.of(CatalogJson.offsetsByNameToJson(
                database.read(connection -> OffsetStore.flushRequests(connection, stream))));
    }

    private Reply requestFlush(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        JsonNode json = Json.parse(call.body());
        String tenantId = Json.text(json, "tenant");
        TenantNames.schemaName(tenantId);
        TableOffsets offsets = CatalogJson.offsets(json.path("offsets"));
        database.write(connection -> {
            OffsetStore.requestFlushes(connection, stream, tenantId, offsets);
            return null;
        });
        return Reply.noContent();
    }

    private Reply raiseFloors(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        JsonNode json = Json.parse(call.body());
        String tenantId = Json.text(json, "tenant");
        TableOffsets offsets = CatalogJson.offsets(json.path("offsets"));
        database.write(connection -> {
            OffsetStore.raiseExistingFloors(connection, stream, tenantId, offsets);
            return null;
        });
        return Reply.noContent();
    }

    /**
     * Accepts {@code {"topic-id": id}}, or {@code {"ended": [id]}} if the stream has no topic now. Responds with all
     * ended topics.
     */
    private Reply setTopic(Call call) {
        String stream = StreamNames.checked(call.segment("stream"));
        JsonNode json = Json.parse(call.body());
        Set<String> ended = database.write(connection -> json.has("topic-id")
                ? TopicStore.setTopic(connection, stream, Json.text(json, "topic-id"))
                : TopicStore.endTopics(connection, stream, Set.copyOf(Json.texts(json, "ended"))));
        ObjectNode reply = Json.object();
        ended.forEach(reply.putArray("ended")::add);
        return JsonReply.of(reply);
    }

    /** Reads the settled offsets first, so that the table, read afterwards, has at least these rows. */
    private Reply table(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        String tenantId = Json.text(Json.parse(call.body()), "tenant");
        TableOffsets settled = database.read(connection ->
                OffsetStore.archivedThrough(connection, stream).max(OffsetStore.floors(connection, stream, tenantId)));
        ObjectNode json = Json.object();
        json.set("settled", CatalogJson.toJson(settled));
        putMetadata(tenantId, stream, json);
        return JsonReply.of(json);
    }

    /**
     * The states of several tables, after the floors and archived-through. Leaves out tables that cannot be read, and
     * the others when the reply has become long.
     */
    private Reply tableStates(Call call) {
        String stream = StreamNames.checkedTopic(call.segment("stream"));
        Set<String> tenantIds = new TreeSet<>(Json.texts(Json.parse(call.body()), "tenants"));
        Map<String, TableOffsets> floors = new TreeMap<>();
        TableOffsets archivedThrough = database.read(connection -> {
            for (String tenantId : tenantIds) {
                floors.put(tenantId, OffsetStore.floors(connection, stream, tenantId));
            }
            return OffsetStore.archivedThrough(connection, stream);
        });
        ObjectNode json = Json.object();
        json.set("archived-through", CatalogJson.toJson(archivedThrough));
        ArrayNode tables = json.putArray("tables");
        long length = 0;
        for (Map.Entry<String, TableOffsets> tenant : floors.entrySet()) {
            if (length >= MAX_METADATA) {
                break;
            }
            ObjectNode table = Json.object().put("tenant", tenant.getKey());
            table.set("floors", CatalogJson.toJson(tenant.getValue()));
            try {
                length += putMetadata(tenant.getKey(), stream, table);
                tables.add(table);
            } catch (RuntimeException e) {
                LOG.warn("Cannot read table '{}' of tenant '{}'", stream, tenant.getKey(), e);
            }
        }
        return JsonReply.of(json);
    }

    /** Adds the table's metadata, if there is a table; returns its length. */
    private int putMetadata(String tenantId, String stream, ObjectNode json) {
        try {
            TableMetadata table = ((BaseTable) catalog.loadTable(TenantNames.table(tenantId, stream)))
                    .operations()
                    .current();
            String metadata = TableMetadataParser.toJson(table);
            json.put("metadata-location", table.metadataFileLocation()).putRawValue("metadata", new RawValue(metadata));
            return metadata.length();
        } catch (NoSuchTableException e) {
            return 0;
        }
    }

    private Reply ensureTables(Call call) {
        String stream = StreamNames.checked(call.segment("stream"));
        List<TableRequest> requests = CatalogJson.tableRequests(Json.parse(call.body()));
        ObjectNode reply = Json.object();
        ArrayNode tables = reply.putArray("tables");
        for (TableProvisioning.Attempt attempt : provisioning.ensureAll(stream, requests)) {
            tables.add(attempt.ensured()
                    .map(StreamRoutes::toJson)
                    .orElseGet(() -> Json.object().put("failed", attempt.failure())));
        }
        return JsonReply.of(reply);
    }

    private Reply ensureTable(Call call) {
        JsonNode json = Json.parse(call.body());
        String stream = StreamNames.checked(Json.text(json, "stream"));
        List<ColumnDefinition> columns = CatalogJson.columns(json.path("columns"));
        String tenantId = Json.text(json, "tenant");
        Optional<OffsetRange> rows = CatalogJson.offsetRange(json.path("rows"));
        return JsonReply.of(
                toJson(provisioning.ensure(tenantId, stream, columns, CatalogJson.newTableColumns(json), rows)));
    }

    private static ObjectNode toJson(TableProvisioning.Ensured ensured) {
        return ensured.table()
                .map(CatalogJson::tableToJson)
                .orElseGet(() -> Json.object().put("floor", ensured.floor()));
    }
}
