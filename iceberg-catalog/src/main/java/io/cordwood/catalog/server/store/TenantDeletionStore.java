package io.cordwood.catalog.server.store;

import io.cordwood.catalog.tenant.TenantDeletion;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Unfinished deletions of tenants, with the locations of the dropped tables. Stateless. */
public final class TenantDeletionStore {
    private static final String SELECT =
            "SELECT tenant_id, started_millis, completed_millis FROM cordwood_tenant_deletions";

    private TenantDeletionStore() {}

    /** Begins a deletion; one that is under way continues as this one. */
    public static void begin(Connection connection, String tenantId, String schemaName, long nowMillis)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO cordwood_tenant_deletions (tenant_id, schema_name, started_millis, completed_millis)
                VALUES (?, ?, ?, NULL)
                ON CONFLICT (tenant_id) DO UPDATE SET started_millis = excluded.started_millis, completed_millis = NULL
                """)) {
            insert.setString(1, TenantIdColumn.write(tenantId));
            insert.setString(2, schemaName);
            insert.setLong(3, nowMillis);
            insert.executeUpdate();
        }
    }

    public static void addLocations(Connection connection, String tenantId, Collection<String> locations)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO cordwood_tenant_deleted_locations (tenant_id, location) VALUES (?, ?)
                ON CONFLICT (tenant_id, location) DO NOTHING""")) {
            for (String location : locations) {
                insert.setString(1, TenantIdColumn.write(tenantId));
                insert.setString(2, location);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    public static List<TenantDeletion> all(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT + " ORDER BY tenant_id")) {
            return deletions(connection, select);
        }
    }

    public static Optional<TenantDeletion> ofSchema(Connection connection, String schemaName) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT + " WHERE schema_name = ?")) {
            select.setString(1, schemaName);
            return deletions(connection, select).stream().findFirst();
        }
    }

    private static List<TenantDeletion> deletions(Connection connection, PreparedStatement select) throws SQLException {
        List<TenantDeletion> deletions = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                String tenantId = TenantIdColumn.read(rows.getString(1));
                long completed = rows.getLong(3);
                OptionalLong completedMillis = rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(completed);
                deletions.add(new TenantDeletion(
                        tenantId, rows.getLong(2), locations(connection, tenantId), completedMillis));
            }
        }
        return deletions;
    }

    /** Directories of the tables' objects. */
    public static List<String> locations(Connection connection, String tenantId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT location FROM cordwood_tenant_deleted_locations WHERE tenant_id = ? ORDER BY location")) {
            select.setString(1, TenantIdColumn.write(tenantId));
            List<String> locations = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    locations.add(rows.getString(1));
                }
            }
            return locations;
        }
    }

    /** Records that its objects are gone, unless that is recorded, or it was started again since. */
    public static void complete(Connection connection, String tenantId, long startedMillis, long nowMillis)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                UPDATE cordwood_tenant_deletions SET completed_millis = ?
                WHERE tenant_id = ? AND started_millis = ? AND completed_millis IS NULL""")) {
            update.setLong(1, nowMillis);
            update.setString(2, TenantIdColumn.write(tenantId));
            update.setLong(3, startedMillis);
            update.executeUpdate();
        }
    }

    public static void forget(Connection connection, String tenantId) throws SQLException {
        for (String table : List.of("cordwood_tenant_deletions", "cordwood_tenant_deleted_locations")) {
            Statements.update(
                    connection, "DELETE FROM " + table + " WHERE tenant_id = ?", TenantIdColumn.write(tenantId));
        }
    }
}
