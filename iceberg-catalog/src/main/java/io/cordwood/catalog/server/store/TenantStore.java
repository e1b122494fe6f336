package io.cordwood.catalog.server.store;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.tenant.Quota;
import io.cordwood.catalog.tenant.Tenant;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Tenants in the database. Stateless. */
public final class TenantStore {
    private static final String SELECT = """
            SELECT t.tenant_id, t.retention_days, t.quota_bytes_per_second, q.rows_per_second, t.text_columns
            FROM cordwood_tenants t LEFT JOIN cordwood_row_quotas q ON q.tenant_id = t.tenant_id
            """;

    private TenantStore() {}

    public static List<Tenant> all(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT + "ORDER BY t.tenant_id")) {
            return tenants(select, StreamRetentionStore.all(connection));
        }
    }

    public static Optional<Tenant> withSchema(Connection connection, String schemaName) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT + "WHERE t.schema_name = ?")) {
            select.setString(1, schemaName);
            return tenants(select, StreamRetentionStore.ofSchema(connection, schemaName)).stream()
                    .findFirst();
        }
    }

    /** @param streamRetention days by tenant id and stream */
    private static List<Tenant> tenants(PreparedStatement select, Map<String, Map<String, Integer>> streamRetention)
            throws SQLException {
        List<Tenant> tenants = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                int retention = rows.getInt(2);
                OptionalInt retentionDays = rows.wasNull() ? OptionalInt.empty() : OptionalInt.of(retention);
                Quota quota = new Quota(limit(rows, 3), limit(rows, 4));
                byte[] textColumns = rows.getString(5).getBytes(StandardCharsets.UTF_8);
                String tenantId = TenantIdColumn.read(rows.getString(1));
                tenants.add(new Tenant(
                        tenantId,
                        retentionDays,
                        streamRetention.getOrDefault(tenantId, Map.of()),
                        quota,
                        CatalogJson.textColumns(Json.parse(textColumns))));
            }
        }
        return tenants;
    }

    private static OptionalLong limit(ResultSet rows, int column) throws SQLException {
        long limit = rows.getLong(column);
        return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(limit);
    }

    /** Adds the tenant with its defaults if it is not registered. */
    public static void register(Connection connection, String tenantId) throws SQLException {
        insert(connection, Tenant.of(tenantId), "ON CONFLICT (tenant_id) DO NOTHING");
    }

    public static void put(Connection connection, Tenant tenant) throws SQLException {
        insert(connection, tenant, """
                ON CONFLICT (tenant_id) DO UPDATE SET retention_days = excluded.retention_days,
                  quota_bytes_per_second = excluded.quota_bytes_per_second, text_columns = excluded.text_columns""");
        RowQuotaStore.replace(connection, tenant.id(), tenant.quota().rowsPerSecond());
        StreamRetentionStore.replace(connection, tenant.id(), tenant.streamRetentionDays());
    }

    private static void insert(Connection connection, Tenant tenant, String onConflict) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO cordwood_tenants
                  (tenant_id, schema_name, retention_days, quota_bytes_per_second, text_columns)
                VALUES (?, ?, ?, ?, ?)
                """ + onConflict)) {
            insert.setString(1, TenantIdColumn.write(tenant.id()));
            insert.setString(2, tenant.schemaName());
            if (tenant.retentionDays().isPresent()) {
                insert.setInt(3, tenant.retentionDays().getAsInt());
            } else {
                insert.setNull(3, Types.INTEGER);
            }
            OptionalLong bytesPerSecond = tenant.quota().bytesPerSecond();
            if (bytesPerSecond.isPresent()) {
                insert.setLong(4, bytesPerSecond.getAsLong());
            } else {
                insert.setNull(4, Types.BIGINT);
            }
            insert.setString(
                    5, CatalogJson.textColumnsToJson(tenant.textColumns()).toString());
            insert.executeUpdate();
        }
    }

    /** Removes the tenant with its settings, alerts and pipeline, and the grants on it. */
    public static void delete(Connection connection, String tenantId) throws SQLException {
        for (String table : List.of(
                "cordwood_tenants",
                "cordwood_row_quotas",
                "cordwood_stream_retention",
                "cordwood_grants",
                "cordwood_alerts",
                "cordwood_pipelines")) {
            Statements.update(
                    connection, "DELETE FROM " + table + " WHERE tenant_id = ?", TenantIdColumn.write(tenantId));
        }
    }
}
