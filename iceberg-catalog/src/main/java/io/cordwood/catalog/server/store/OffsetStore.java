package io.cordwood.catalog.server.store;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Archived-through offsets by stream, floors of deleted tenants, and offsets of requested flushes. Stateless. */
public final class OffsetStore {
    private OffsetStore() {}

    public static TableOffsets archivedThrough(Connection connection, String stream) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT topic_id, partition_number, next_offset FROM cordwood_archived_through WHERE stream = ?")) {
            select.setString(1, stream);
            return offsets(select);
        }
    }

    public static void raiseArchivedThrough(Connection connection, String stream, TableOffsets offsets)
            throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_archived_through AS w (stream, topic_id, partition_number, next_offset)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (stream, topic_id, partition_number) DO UPDATE SET next_offset = excluded.next_offset
                WHERE excluded.next_offset > w.next_offset""")) {
            upsert.setString(1, stream);
            upsertAll(upsert, 2, offsets);
        }
        forgetFulfilledFlushes(connection, "stream = ?", stream);
    }

    /** Removes the requests under a condition that archived-through has passed. */
    private static void forgetFulfilledFlushes(Connection connection, String condition, String... values)
            throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("""
                DELETE FROM cordwood_flush_requests WHERE %s AND EXISTS (
                  SELECT 1 FROM cordwood_archived_through w
                  WHERE w.stream = cordwood_flush_requests.stream
                    AND w.topic_id = cordwood_flush_requests.topic_id
                    AND w.partition_number = cordwood_flush_requests.partition_number
                    AND w.next_offset >= cordwood_flush_requests.next_offset)""".formatted(condition))) {
            for (int i = 0; i < values.length; i++) {
                delete.setString(i + 1, values[i]);
            }
            delete.executeUpdate();
        }
    }

    /** Offsets of requested flushes by tenant id, without those that archived-through has passed. */
    public static Map<String, TableOffsets> flushRequests(Connection connection, String stream) throws SQLException {
        return byTenant(connection, stream, "cordwood_flush_requests");
    }

    /** Requests flushes; a request never falls, and is removed once archived-through has passed it. */
    public static void requestFlushes(Connection connection, String stream, String tenantId, TableOffsets offsets)
            throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_flush_requests AS r
                  (stream, tenant_id, topic_id, partition_number, next_offset) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (stream, tenant_id, topic_id, partition_number)
                DO UPDATE SET next_offset = excluded.next_offset WHERE excluded.next_offset > r.next_offset""")) {
            upsert.setString(1, stream);
            upsert.setString(2, TenantIdColumn.write(tenantId));
            upsertAll(upsert, 3, offsets);
        }
        // Requests of other tenants are removed when archived-through moves: here the cost would grow with their
        // number.
        forgetFulfilledFlushes(connection, "stream = ? AND tenant_id = ?", stream, TenantIdColumn.write(tenantId));
    }

    public static TableOffsets floors(Connection connection, String stream, String tenantId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT topic_id, partition_number, next_offset FROM cordwood_floors
                WHERE stream = ? AND tenant_id = ?""")) {
            select.setString(1, stream);
            select.setString(2, TenantIdColumn.write(tenantId));
            return offsets(select);
        }
    }

    /** The floors of a tenant by stream. */
    public static Map<String, TableOffsets> floorsByStream(Connection connection, String tenantId) throws SQLException {
        return grouped(
                connection,
                "SELECT stream, topic_id, partition_number, next_offset FROM cordwood_floors WHERE tenant_id = ?",
                TenantIdColumn.write(tenantId),
                UnaryOperator.identity());
    }

    /** The floors of all tenants that have one, by tenant id. */
    static Map<String, TableOffsets> floorsByTenant(Connection connection, String stream) throws SQLException {
        return byTenant(connection, stream, "cordwood_floors");
    }

    private static Map<String, TableOffsets> byTenant(Connection connection, String stream, String table)
            throws SQLException {
        return grouped(
                connection,
                "SELECT tenant_id, topic_id, partition_number, next_offset FROM " + table + " WHERE stream = ?",
                stream,
                TenantIdColumn::read);
    }

    /**
     * Offsets by the first column of a query.
     *
     * @param parameter value of its only parameter
     * @param key converts the first column
     */
    private static Map<String, TableOffsets> grouped(
            Connection connection, String sql, String parameter, UnaryOperator<String> key) throws SQLException {
        Map<String, Map<PartitionId, Long>> offsets = new TreeMap<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, parameter);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    offsets.computeIfAbsent(key.apply(rows.getString(1)), any -> new HashMap<>())
                            .put(new PartitionId(rows.getString(2), rows.getInt(3)), rows.getLong(4));
                }
            }
        }
        Map<String, TableOffsets> byKey = new TreeMap<>();
        offsets.forEach((group, entries) -> byKey.put(group, TableOffsets.of(entries)));
        return byKey;
    }

    public static void raiseFloors(Connection connection, String stream, String tenantId, TableOffsets offsets)
            throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_floors AS f (tenant_id, stream, topic_id, partition_number, next_offset)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (tenant_id, stream, topic_id, partition_number)
                DO UPDATE SET next_offset = excluded.next_offset WHERE excluded.next_offset > f.next_offset""")) {
            upsert.setString(1, TenantIdColumn.write(tenantId));
            upsert.setString(2, stream);
            upsertAll(upsert, 3, offsets);
        }
    }

    /** Raises existing floors; never lowers one. */
    public static void raiseExistingFloors(Connection connection, String stream, String tenantId, TableOffsets offsets)
            throws SQLException {
        TableOffsets floors = floors(connection, stream, tenantId);
        Map<PartitionId, Long> existing = offsets.entries();
        existing.keySet().retainAll(floors.entries().keySet());
        raiseFloors(connection, stream, tenantId, TableOffsets.of(existing));
    }

    private static TableOffsets offsets(PreparedStatement select) throws SQLException {
        Map<PartitionId, Long> offsets = new HashMap<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                offsets.put(new PartitionId(rows.getString(1), rows.getInt(2)), rows.getLong(3));
            }
        }
        return TableOffsets.of(offsets);
    }

    /** In the order of the partitions, so that two writers never deadlock. */
    private static void upsertAll(PreparedStatement upsert, int firstParameter, TableOffsets offsets)
            throws SQLException {
        for (Map.Entry<PartitionId, Long> entry : offsets.entries().entrySet()) {
            upsert.setString(firstParameter, entry.getKey().topicId());
            upsert.setInt(firstParameter + 1, entry.getKey().partition());
            upsert.setLong(firstParameter + 2, entry.getValue());
            upsert.addBatch();
        }
        upsert.executeBatch();
    }
}
