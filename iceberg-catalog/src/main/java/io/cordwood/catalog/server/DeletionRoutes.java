package io.cordwood.catalog.server;

import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.delete.DeletionParser;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.DeletionStore;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.util.List;

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
                new Route(
                        "GET",
                        DELETIONS,
                        Permission.PERSON.or(ServiceRole.COMPACTOR, ServiceRole.QUERY),
                        this::deletions),
                new Route("PUT", DELETION, Permission.OPERATOR.or(ServiceRole.COMPACTOR, ServiceRole.QUERY), this::put)
                        .withLargeBody(),
                new Route("DELETE", DELETION, Permission.OPERATOR.or(ServiceRole.QUERY), this::forget));
    }

    private Reply deletions(Call call) {
        List<Deletion> seen = database.read(DeletionStore::all).stream()
                .filter(deletion -> call.caller().reads(deletion.tenantId(), deletion.stream()))
                .toList();
        return JsonReply.of(DeletionParser.toJson(seen));
    }

    private Reply put(Call call) {
        Deletion deletion = DeletionParser.deletion(Json.parse(call.body()));
        if (!deletion.id().equals(call.segment("id"))) {
            throw new IllegalArgumentException(
                    "The path names deletion '%s', the body '%s'".formatted(call.segment("id"), deletion.id()));
        }
        StreamNames.checkedTopic(deletion.stream());
        database.write(connection -> {
            DeletionStore.put(connection, deletion);
            return null;
        });
        return JsonReply.of(DeletionParser.toJson(deletion));
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
