package io.cordwood.catalog.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.commit.CommitTables;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;

/** Tables of a catalog service; one request finds a table, or several, and settled offsets. Thread-safe. */
final class ServiceTables implements CommitTables {
    /** Status codes that a repetition does not change: malformed, unknown token, not allowed. */
    private static final Set<Integer> FINAL = Set.of(400, 401, 403);

    private final CatalogHttp http;
    private final FileIO io;

    ServiceTables(CatalogHttp http, FileIO io) {
        this.http = http;
        this.io = io;
    }

    @Override
    public Found find(String tenantId, String stream) {
        JsonNode json = request(tenantId, stream);
        return found(tenantId, stream, json, CatalogJson.offsets(json.path("settled")));
    }

    @Override
    public Map<String, Found> findAll(String stream, Set<String> tenantIds) {
        ObjectNode body = Json.object();
        tenantIds.forEach(body.putArray("tenants")::add);
        JsonNode json = http.json("POST", "streams/%s/tables/states".formatted(CatalogHttp.segment(stream)), body);
        TableOffsets archivedThrough = CatalogJson.offsets(json.path("archived-through"));
        Map<String, Found> found = new HashMap<>();
        for (JsonNode table : json.path("tables")) {
            String tenantId = Json.text(table, "tenant");
            TableOffsets settled = archivedThrough.max(CatalogJson.offsets(table.path("floors")));
            found.put(tenantId, found(tenantId, stream, table, settled));
        }
        return found;
    }

    private Found found(String tenantId, String stream, JsonNode json, TableOffsets settled) {
        Optional<TableOperations> operations = Optional.ofNullable(json.get("metadata"))
                .map(metadata -> new ServiceTableOperations(
                        http,
                        io,
                        TenantNames.table(tenantId, stream),
                        TableMetadataParser.fromJson(Json.text(json, "metadata-location"), metadata)));
        return new Found(settled, operations);
    }

    @Override
    public void raiseFloors(String tenantId, String stream, TableOffsets offsets) {
        ObjectNode body = Json.object().put("tenant", tenantId);
        body.set("offsets", CatalogJson.toJson(offsets));
        http.send("POST", "streams/%s/floors".formatted(CatalogHttp.segment(stream)), body);
    }

    private JsonNode request(String tenantId, String stream) {
        try {
            return http.json(
                    "POST",
                    "streams/%s/table".formatted(CatalogHttp.segment(stream)),
                    Json.object().put("tenant", tenantId));
        } catch (CatalogException e) {
            if (FINAL.contains(e.status())) {
                throw new TableCommitException(tenantId, stream, e.getMessage(), e);
            }
            throw e;
        }
    }
}
