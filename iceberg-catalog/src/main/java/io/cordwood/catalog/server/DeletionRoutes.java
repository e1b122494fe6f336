package io.cordwood.catalog.server;

import io.cordwood.catalog.CatalogJson;
import io.cordwood.catalog.Deletion;
import io.cordwood.catalog.DeletionParser;
import io.cordwood.catalog.StreamNames;
import io.cordwood.catalog.TenantNames;
import io.cordwood.catalog.server.Route.Permission;
import java.util.List;
import org.apache.iceberg.catalog.Namespace;

/** The registry of deletions by predicate, under {@code /cordwood/v1/deletions}. Thread-safe. */
final class DeletionRoutes {
    private static final String DELETIONS = "/cordwood/v1/deletions";
    private static final String DELETION = DELETIONS + "/{id}";

    private final Database database;

    DeletionRoutes(Database database) {
        this.database = database;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", DELETIONS, Permission.KNOWN, this::deletions),
                new Route("PUT", DELETION, Permission.OPERATOR, this::put),
                new Route("DELETE", DELETION, Permission.OPERATOR, this::forget));
    }

    private Reply deletions(Call call) {
        List<Deletion> seen = database.read(DeletionStore::all).stream()
                .filter(deletion -> call.caller().sees(Namespace.of(TenantNames.schemaName(deletion.tenantId()))))
                .toList();
        return Reply.json(DeletionParser.toJson(seen));
    }

    private Reply put(Call call) {
        Deletion deletion = DeletionParser.deletion(CatalogJson.parse(call.body()));
        if (!deletion.id().equals(call.segment("id"))) {
            throw new IllegalArgumentException(
                    "The path names deletion '%s', the body '%s'".formatted(call.segment("id"), deletion.id()));
        }
        StreamNames.checkedTopic(deletion.stream());
        database.write(connection -> {
            DeletionStore.put(connection, deletion);
            return null;
        });
        return Reply.json(DeletionParser.toJson(deletion));
    }

    private Reply forget(Call call) {
        String id = call.segment("id");
        database.write(connection -> {
            DeletionStore.delete(connection, id);
            return null;
        });
        return Reply.noContent();
    }
}
