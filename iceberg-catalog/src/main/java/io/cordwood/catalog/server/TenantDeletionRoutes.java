package io.cordwood.catalog.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.identity.Audit;
import io.cordwood.catalog.server.identity.Revocations;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.OffsetStore;
import io.cordwood.catalog.server.store.TenantDeletionStore;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.server.table.TenantTables;
import io.cordwood.catalog.server.table.TenantTombstones;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.jdbc.JdbcCatalog;

/**
 * Deletion of tenants, under {@code /cordwood/v1}. Thread-safe.
 *
 * <p>The order of the steps allows a deletion to continue after a kill at any point, and the tenant to ship again at
 * once:
 *
 * <ol>
 *   <li>One transaction stores the floors, below which no row returns into a later table. It requests flushes up to
 *       there, so that writers drop the rows that they hold and learn that there is no table. It drops the tables, if
 *       none has a row from above the floors, and records the deletion with their locations. It removes the tenant with
 *       its settings and grants, and revokes the tokens for it. So every row is either below a floor, and gone, or in
 *       no table yet, and kept.
 *   <li>Tables that were created meanwhile below the floors are dropped; their offsets identify them.
 *   <li>A {@linkplain TenantTombstones tombstone} in the warehouse tells a database that is restored from an older
 *       backup.
 *   <li>A program with access to the objects deletes those under the locations, and reports it. It repeats this until a
 *       day after the start, as a writer that did not know of the deletion yet may have left some.
 * </ol>
 */
final class TenantDeletionRoutes {
    private static final String DELETIONS = "/cordwood/v1/tenant-deletions";
    private static final Permission COMPACTOR = Permission.OPERATOR.or(ServiceRole.COMPACTOR);
    /** Longer than any flush that was under way. */
    private static final Duration WATCHED = Duration.ofDays(1);

    private final Database database;
    private final JdbcCatalog catalog;
    private final TenantTables tables;
    private final TenantTombstones tombstones;
    private final Revocations revocations;
    private final Audit audit;
    private final InstantSource wall;
    private final InstantSource clock;

    /**
     * @param wall clock for the start of a deletion
     * @param clock clock for its age
     */
    TenantDeletionRoutes(
            Database database,
            JdbcCatalog catalog,
            TenantTables tables,
            TenantTombstones tombstones,
            Revocations revocations,
            Audit audit,
            InstantSource wall,
            InstantSource clock) {
        this.database = database;
        this.catalog = catalog;
        this.tables = tables;
        this.tombstones = tombstones;
        this.revocations = revocations;
        this.audit = audit;
        this.wall = wall;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                new Route("DELETE", "/cordwood/v1/tenants/{schema}", Permission.OPERATOR, this::begin).withLargeBody(),
                new Route("GET", DELETIONS, COMPACTOR, call -> all()),
                new Route("POST", DELETIONS + "/{schema}", COMPACTOR, this::resume));
    }

    private Reply begin(Call call) {
        Map<String, TableOffsets> floors = floors(call.body());
        String schemaName = call.segment("schema");
        String tenantId = tenantId(schemaName);
        floors.keySet().forEach(StreamNames::checkedTopic);
        Namespace namespace = Namespace.of(schemaName);
        TenantTables.Present present = tables.present(namespace, tenantId, floors);
        long started = wall.millis();
        database.write(connection -> {
            TenantTables.delete(connection, revocations, tenantId, floors, present, started);
            audit.changed(connection, call.caller(), "tenant-deleted", tenantId, "with its grants and tokens");
            return null;
        });
        tables.drop(namespace, tenantId);
        putTombstone(schemaName);
        return Reply.noContent();
    }

    /** After the tables were dropped, so that it has the locations of all. */
    private void putTombstone(String schemaName) {
        Optional<TenantDeletion> deletion = deletion(schemaName);
        if (deletion.isPresent() && !deletion.get().isComplete()) {
            tombstones.put(new TenantTombstones.Tombstone(
                    deletion.get(),
                    database.read(connection -> OffsetStore.floorsByStream(
                            connection, deletion.get().tenantId()))));
        }
    }

    private static Map<String, TableOffsets> floors(byte[] body) {
        JsonNode floors =
                body.length == 0 ? MissingNode.getInstance() : Json.parse(body).path("floors");
        if (!floors.isObject()) {
            throw new IllegalArgumentException("Without floors the tenant's rows would come back from Kafka: send"
                    + " {\"floors\": {stream: {topic id: {partition: end offset}}}}");
        }
        return CatalogJson.offsetsByName(floors);
    }

    /** The tenant, also if an earlier deletion has only removed it from the registry. */
    private String tenantId(String schemaName) {
        return database.read(connection -> TenantStore.withSchema(connection, schemaName))
                .map(Tenant::id)
                .or(() -> deletion(schemaName).map(TenantDeletion::tenantId))
                .or(() -> catalog.namespaceExists(Namespace.of(schemaName))
                        ? TenantNames.tenantId(schemaName)
                        : Optional.empty())
                .orElseThrow(() -> new NotFoundException("No tenant with schema '%s' is registered", schemaName));
    }

    private Optional<TenantDeletion> deletion(String schemaName) {
        return database.read(connection -> TenantDeletionStore.ofSchema(connection, schemaName));
    }

    private Reply all() {
        ObjectNode json = Json.object();
        ArrayNode deletions = json.putArray("deletions");
        database.read(TenantDeletionStore::all).forEach(deletion -> deletions.add(CatalogJson.toJson(deletion)));
        return JsonReply.of(json);
    }

    private Reply resume(Call call) {
        String schemaName = call.segment("schema");
        JsonNode body = Json.parse(call.body());
        TenantDeletion deletion = deletion(schemaName).orElseThrow(() -> notDeleted(schemaName));
        tables.drop(Namespace.of(schemaName), deletion.tenantId());
        // Here too, in case that the process ended after the deletion began
        putTombstone(schemaName);
        if (body.path("objects-gone").asBoolean() && body.path("started-millis").asLong() == deletion.startedMillis()) {
            objectsGone(deletion);
        }
        return JsonReply.of(CatalogJson.toJson(deletion(schemaName).orElseThrow(() -> notDeleted(schemaName))));
    }

    private void objectsGone(TenantDeletion deletion) {
        long now = clock.millis();
        database.write(connection -> {
            if (now - deletion.startedMillis() < WATCHED.toMillis()) {
                TenantDeletionStore.complete(connection, deletion.tenantId(), deletion.startedMillis(), now);
            } else {
                TenantDeletionStore.forget(connection, deletion.tenantId());
            }
            return null;
        });
    }

    private static NotFoundException notDeleted(String schemaName) {
        return new NotFoundException("No tenant with schema '%s' is being deleted", schemaName);
    }
}
