package io.cordwood.catalog.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.Reply;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.http.Route.Permission;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.server.store.UserStore;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.tenant.User;
import java.util.List;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.exceptions.NotFoundException;

/**
 * The tenant registry under {@code /cordwood/v1}, except for {@linkplain TenantDeletionRoutes deletions}. Thread-safe.
 */
final class RegistryRoutes {
    private static final String TENANTS = "/cordwood/v1/tenants";
    private static final String TENANT = TENANTS + "/{schema}";
    private static final String USERS = "/cordwood/v1/users";
    private static final String USER = USERS + "/{user}";

    private final Database database;

    RegistryRoutes(Database database) {
        this.database = database;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", TENANTS, Permission.KNOWN, this::tenants),
                new Route("GET", TENANT, Permission.KNOWN, this::tenant),
                new Route("PUT", TENANT, Permission.OPERATOR, this::putTenant),
                new Route("GET", USERS, Permission.OPERATOR, call -> users()),
                new Route("PUT", USER, Permission.OPERATOR, this::putUser),
                new Route("DELETE", USER, Permission.OPERATOR, this::deleteUser),
                new Route("POST", USER + "/tokens", Permission.OPERATOR, this::createToken),
                new Route("DELETE", USER + "/tokens", Permission.OPERATOR, this::deleteTokens));
    }

    private Reply tenants(Call call) {
        ObjectNode json = Json.object();
        ArrayNode tenants = json.putArray("tenants");
        database.read(TenantStore::all).stream()
                .filter(tenant -> call.caller().sees(Namespace.of(tenant.schemaName())))
                .forEach(tenant -> tenants.add(CatalogJson.toJson(tenant)));
        return Reply.json(json);
    }

    private Reply tenant(Call call) {
        String schemaName = call.segment("schema");
        call.caller().requireNamespace(Namespace.of(schemaName));
        return Reply.json(CatalogJson.toJson(registered(schemaName)));
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
        return Reply.json(CatalogJson.toJson(tenant));
    }

    private Tenant registered(String schemaName) {
        return database.read(connection -> TenantStore.withSchema(connection, schemaName))
                .orElseThrow(() -> notRegistered(schemaName));
    }

    private static NotFoundException notRegistered(String schemaName) {
        return new NotFoundException("No tenant with schema '%s' is registered", schemaName);
    }

    private Reply users() {
        return Reply.json(CatalogJson.toJson(database.read(UserStore::accessRules)));
    }

    private Reply putUser(Call call) {
        User user = CatalogJson.user(Json.parse(call.body()));
        if (!user.name().equals(call.segment("user"))) {
            throw new IllegalArgumentException(
                    "The path names user '%s', the body '%s'".formatted(call.segment("user"), user.name()));
        }
        user.tenants().forEach(TenantNames::schemaName);
        database.write(connection -> {
            UserStore.put(connection, user);
            return null;
        });
        return Reply.json(CatalogJson.toJson(user));
    }

    private Reply deleteUser(Call call) {
        String userName = call.segment("user");
        if (!database.write(connection -> UserStore.delete(connection, userName))) {
            throw noSuchUser(userName);
        }
        return Reply.noContent();
    }

    private Reply createToken(Call call) {
        String userName = call.segment("user");
        String token = database.write(connection -> UserStore.createToken(connection, userName))
                .orElseThrow(() -> noSuchUser(userName));
        return Reply.json(Json.object().put("token", token));
    }

    private Reply deleteTokens(Call call) {
        String userName = call.segment("user");
        database.write(connection -> {
            UserStore.deleteTokens(connection, userName);
            return null;
        });
        return Reply.noContent();
    }

    private static NotFoundException noSuchUser(String userName) {
        return new NotFoundException("No user '%s' is registered", userName);
    }
}
