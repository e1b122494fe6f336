package io.cordwood.catalog.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.commit.CommitTables;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;

/** Tables of a catalog service; one request finds a table and its settled offsets. Thread-safe. */
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
        Optional<TableOperations> operations = Optional.ofNullable(json.get("metadata"))
                .map(metadata -> new ServiceTableOperations(
                        http,
                        io,
                        TenantNames.table(tenantId, stream),
                        TableMetadataParser.fromJson(Json.text(json, "metadata-location"), metadata)));
        return new Found(CatalogJson.offsets(json.path("settled")), operations);
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
