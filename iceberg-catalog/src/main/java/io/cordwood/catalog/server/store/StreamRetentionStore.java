package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Retention of single streams, in days by tenant and stream; 0 stands for ever. Stateless. */
final class StreamRetentionStore {
    private StreamRetentionStore() {}

    static Map<String, Map<String, Integer>> all(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT tenant_id, stream, retention_days FROM cordwood_stream_retention")) {
            return byTenant(select);
        }
    }

    static Map<String, Map<String, Integer>> ofSchema(Connection connection, String schemaName) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT r.tenant_id, r.stream, r.retention_days FROM cordwood_stream_retention r
                JOIN cordwood_tenants t ON t.tenant_id = r.tenant_id WHERE t.schema_name = ?""")) {
            select.setString(1, schemaName);
            return byTenant(select);
        }
    }

    private static Map<String, Map<String, Integer>> byTenant(PreparedStatement select) throws SQLException {
        Map<String, Map<String, Integer>> days = new HashMap<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                days.computeIfAbsent(TenantIdColumn.read(rows.getString(1)), any -> new HashMap<>())
                        .put(rows.getString(2), rows.getInt(3));
            }
        }
        return days;
    }

    static void replace(Connection connection, String tenantId, Map<String, Integer> days) throws SQLException {
        Statements.update(
                connection,
                "DELETE FROM cordwood_stream_retention WHERE tenant_id = ?",
                TenantIdColumn.write(tenantId));
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO cordwood_stream_retention (tenant_id, stream, retention_days) VALUES (?, ?, ?)""")) {
            for (Map.Entry<String, Integer> entry : days.entrySet()) {
                insert.setString(1, TenantIdColumn.write(tenantId));
                insert.setString(2, entry.getKey());
                insert.setInt(3, entry.getValue());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
