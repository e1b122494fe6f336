package io.cordwood.catalog.server;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.PipelineParser;
import io.cordwood.catalog.protocol.NoSuchPipelineException;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.identity.Audit;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.PipelineStore;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Pipelines of tenants, under {@code /cordwood/v1}. Thread-safe. */
final class PipelineRoutes {
    private static final String PIPELINE = "/cordwood/v1/tenants/{schema}/pipeline";

    private final Database database;
    private final Audit audit;

    PipelineRoutes(Database database, Audit audit) {
        this.database = database;
        this.audit = audit;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", PIPELINE, Permission.MEMBER.or(ServiceRole.GATEWAY), this::pipeline),
                new Route("PUT", PIPELINE, Permission.OPERATOR, Pipeline.MAX_JSON_BYTES, this::put),
                new Route("DELETE", PIPELINE, Permission.OPERATOR, this::delete));
    }

    private Reply pipeline(Call call) {
        String schema = call.segment("schema");
        return database.read(connection -> find(connection, schema))
                .map(found -> JsonReply.of(PipelineParser.toJson(found)))
                .orElseThrow(() -> new NoSuchPipelineException(schema));
    }

    private static Optional<Pipeline> find(Connection connection, String schema) throws SQLException {
        Optional<Tenant> tenant = TenantStore.withSchema(connection, schema);
        return tenant.isEmpty()
                ? Optional.empty()
                : PipelineStore.find(connection, tenant.get().id());
    }

    private Reply put(Call call) {
        Pipeline pipeline = PipelineParser.pipeline(Json.parse(call.body()));
        database.write(connection -> {
            Tenant tenant = RegistryRoutes.registered(connection, call.segment("schema"));
            PipelineStore.put(connection, tenant.id(), pipeline);
            // Its expressions may show what is secret
            audit.changed(
                    connection,
                    call.caller(),
                    "pipeline-set",
                    tenant.id(),
                    "%d steps, %d bytes".formatted(pipeline.steps().size(), call.body().length));
            return null;
        });
        return JsonReply.of(PipelineParser.toJson(pipeline));
    }

    private Reply delete(Call call) {
        String schema = call.segment("schema");
        boolean existed = database.write(connection -> {
            Optional<Tenant> tenant = TenantStore.withSchema(connection, schema);
            if (tenant.isEmpty()
                    || !PipelineStore.delete(connection, tenant.get().id())) {
                return false;
            }
            audit.changed(
                    connection, call.caller(), "pipeline-removed", tenant.get().id(), "");
            return true;
        });
        if (!existed) {
            throw new NoSuchPipelineException(schema);
        }
        return Reply.noContent();
    }
}
