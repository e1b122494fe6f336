package io.cordwood.catalog.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.exceptions.NotFoundException;

/**
 * The tenants of the registry under {@code /cordwood/v1}, except for {@linkplain TenantDeletionRoutes deletions}.
 * Thread-safe.
 */
final class RegistryRoutes {
    private static final String TENANTS = "/cordwood/v1/tenants";
    private static final String TENANT = TENANTS + "/{schema}";
    private static final ServiceRole[] READERS = {
        ServiceRole.COMPACTOR, ServiceRole.QUERY, ServiceRole.SEARCH, ServiceRole.BALANCER
    };
    /** The gateway asks for the tenants of its requests alone. */
    private static final ServiceRole[] READERS_OF_ONE = {
        ServiceRole.COMPACTOR, ServiceRole.QUERY, ServiceRole.SEARCH, ServiceRole.BALANCER, ServiceRole.GATEWAY
    };

    private final Database database;

    RegistryRoutes(Database database) {
        this.database = database;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", TENANTS, Permission.PERSON.or(READERS), this::tenants),
                new Route("GET", TENANT, Permission.MEMBER.or(READERS_OF_ONE), this::tenant),
                new Route("PUT", TENANT, Permission.OPERATOR, this::putTenant));
    }

    private Reply tenants(Call call) {
        ObjectNode json = Json.object();
        ArrayNode tenants = json.putArray("tenants");
        database.read(TenantStore::all).stream()
                .filter(tenant -> call.caller().sees(Namespace.of(tenant.schemaName())))
                .forEach(tenant -> tenants.add(CatalogJson.toJson(tenant)));
        return JsonReply.of(json);
    }

    private Reply tenant(Call call) {
        String schema = call.segment("schema");
        Tenant tenant = database.read(connection -> registered(connection, schema));
        return JsonReply.of(CatalogJson.toJson(tenant));
    }

    private Reply putTenant(Call call) {
        Tenant tenant = CatalogJson.tenant(Json.parse(call.body()));
        if (!tenant.schemaName().equals(call.segment("schema"))) {
            throw new IllegalArgumentException("The path names schema '%s', but tenant '%s' has schema '%s'"
                    .formatted(call.segment("schema"), tenant.id(), tenant.schemaName()));
        }
        tenant.textColumns().keySet().forEach(StreamNames::checkedTopic);
        tenant.streamRetentionDays().keySet().forEach(StreamNames::checkedTopic);
        database.write(connection -> {
            TenantStore.put(connection, tenant);
            return null;
        });
        return JsonReply.of(CatalogJson.toJson(tenant));
    }

    /** The tenant with this schema. @throws NotFoundException if none is registered */
    static Tenant registered(Connection connection, String schemaName) throws SQLException {
        return TenantStore.withSchema(connection, schemaName)
                .orElseThrow(() -> new NotFoundException("No tenant with schema '%s' is registered", schemaName));
    }
}
