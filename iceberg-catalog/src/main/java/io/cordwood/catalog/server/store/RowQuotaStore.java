package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * Limits of tenants in rows per second, in a table of their own: a service adds tables to a database, not columns.
 * Stateless.
 */
final class RowQuotaStore {
    private RowQuotaStore() {}

    static void replace(Connection connection, String tenantId, OptionalLong rowsPerSecond) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM cordwood_row_quotas WHERE tenant_id = ?")) {
            delete.setString(1, TenantIdColumn.write(tenantId));
            delete.executeUpdate();
        }
        if (rowsPerSecond.isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO cordwood_row_quotas (tenant_id, rows_per_second) VALUES (?, ?)")) {
            insert.setString(1, TenantIdColumn.write(tenantId));
            insert.setLong(2, rowsPerSecond.getAsLong());
            insert.executeUpdate();
        }
    }
}
