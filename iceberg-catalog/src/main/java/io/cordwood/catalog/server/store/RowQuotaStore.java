package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * Limits of tenants in rows per second, in a table of their own: a service adds tables to a database, not columns.
 * Stateless.
 */
final class RowQuotaStore {
    private RowQuotaStore() {}

    static void replace(Connection connection, String tenantId, OptionalLong rowsPerSecond) throws SQLException {
        String id = TenantIdColumn.write(tenantId);
        Statements.update(connection, "DELETE FROM cordwood_row_quotas WHERE tenant_id = ?", id);
        if (rowsPerSecond.isPresent()) {
            Statements.update(
                    connection,
                    "INSERT INTO cordwood_row_quotas (tenant_id, rows_per_second) VALUES (?, ?)",
                    id,
                    rowsPerSecond.getAsLong());
        }
    }
}
