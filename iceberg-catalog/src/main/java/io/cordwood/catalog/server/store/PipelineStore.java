package io.cordwood.catalog.server.store;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.PipelineParser;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Pipelines of tenants in the database. Stateless. */
public final class PipelineStore {
    private PipelineStore() {}

    /**
     * The tenant's pipeline; empty if it has none.
     *
     * @throws MalformedEntryException if it cannot be read: without it, rows might go on unredacted
     */
    public static Optional<Pipeline> find(Connection connection, String tenantId) throws SQLException {
        try (PreparedStatement select = Statements.prepare(
                        connection,
                        "SELECT pipeline FROM cordwood_pipelines WHERE tenant_id = ?",
                        TenantIdColumn.write(tenantId));
                ResultSet rows = select.executeQuery()) {
            return rows.next() ? Optional.of(pipeline(tenantId, rows.getString(1))) : Optional.empty();
        }
    }

    private static Pipeline pipeline(String tenantId, String json) {
        try {
            return PipelineParser.pipeline(Json.parse(json.getBytes(StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            throw new MalformedEntryException(
                    "The pipeline of tenant '%s' is malformed in the database: set it anew, or remove it"
                            .formatted(tenantId),
                    e);
        }
    }

    /** Adds or replaces a tenant's pipeline. */
    public static void put(Connection connection, String tenantId, Pipeline pipeline) throws SQLException {
        Statements.update(
                connection,
                """
                INSERT INTO cordwood_pipelines (tenant_id, pipeline) VALUES (?, ?)
                ON CONFLICT (tenant_id) DO UPDATE SET pipeline = excluded.pipeline""",
                TenantIdColumn.write(tenantId),
                PipelineParser.toJson(pipeline).toString());
    }

    /** Removes a tenant's pipeline; false if it had none. */
    public static boolean delete(Connection connection, String tenantId) throws SQLException {
        return Statements.update(
                        connection,
                        "DELETE FROM cordwood_pipelines WHERE tenant_id = ?",
                        TenantIdColumn.write(tenantId))
                > 0;
    }
}
