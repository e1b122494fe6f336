package io.cordwood.catalog.server.store;

import io.cordwood.catalog.usage.Scans;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that queries have read, in the database. Stateless.
 *
 * <p>While an hour is open for a start of a node, only its last total is kept, since the next one replaces it. Once the
 * hour is closed for it, its total is added to the one sum of the hour, and later reports of it are refused. So each
 * total is added once, and the number of rows does not grow with nodes and their starts.
 */
public final class ScanStore {
    private ScanStore() {}

    /**
     * Stores totals and closes the hours for which the node reports nothing more. Totals never fall, so that reports
     * may come in any order.
     *
     * @return number of totals for hours that were already closed; they do not count
     */
    public static int put(Connection connection, Scans scans) throws SQLException {
        long open = lockedFirstOpenHour(connection, scans.incarnation());
        List<Scans.Total> totals =
                scans.totals().stream().filter(total -> total.hour() >= open).toList();
        put(connection, scans.incarnation(), totals);
        close(connection, scans.incarnation(), open, scans.firstOpenHour());
        return scans.totals().size() - totals.size();
    }

    private static void put(Connection connection, String incarnation, List<Scans.Total> totals) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_scans AS s (tenant_id, stream, usage_hour, incarnation, scanned_bytes)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (tenant_id, stream, usage_hour, incarnation)
                DO UPDATE SET scanned_bytes = excluded.scanned_bytes WHERE excluded.scanned_bytes > s.scanned_bytes""")) {
            for (Scans.Total total : totals) {
                upsert.setString(1, TenantIdColumn.write(total.tenantId()));
                upsert.setString(2, total.stream());
                upsert.setLong(3, total.hour());
                upsert.setString(4, incarnation);
                upsert.setLong(5, total.bytes());
                upsert.addBatch();
            }
            upsert.executeBatch();
        }
    }

    /** Starts of nodes for which an hour before this one is still open. */
    public static List<String> openBefore(Connection connection, long hour) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT DISTINCT incarnation FROM cordwood_scans WHERE usage_hour < ?")) {
            select.setLong(1, hour);
            List<String> incarnations = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    incarnations.add(rows.getString(1));
                }
            }
            return incarnations;
        }
    }

    /** Closes the hours before one for a start of a node. */
    public static void close(Connection connection, String incarnation, long hour) throws SQLException {
        close(connection, incarnation, lockedFirstOpenHour(connection, incarnation), hour);
    }

    private static void close(Connection connection, String incarnation, long open, long hour) throws SQLException {
        if (hour <= open) {
            return;
        }
        // Every transaction locks in the same order
        try (PreparedStatement add = connection.prepareStatement("""
                INSERT INTO cordwood_closed_scans AS c (tenant_id, stream, usage_hour, scanned_bytes)
                SELECT tenant_id, stream, usage_hour, scanned_bytes FROM cordwood_scans
                WHERE incarnation = ? AND usage_hour < ? ORDER BY tenant_id, stream, usage_hour
                ON CONFLICT (tenant_id, stream, usage_hour)
                DO UPDATE SET scanned_bytes = c.scanned_bytes + excluded.scanned_bytes""")) {
            add.setString(1, incarnation);
            add.setLong(2, hour);
            add.executeUpdate();
        }
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM cordwood_scans WHERE incarnation = ? AND usage_hour < ?")) {
            delete.setString(1, incarnation);
            delete.setLong(2, hour);
            delete.executeUpdate();
        }
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE cordwood_scan_nodes SET first_open_hour = ? WHERE incarnation = ?")) {
            update.setLong(1, hour);
            update.setString(2, incarnation);
            update.executeUpdate();
        }
    }

    /** The update locks the row, so that reports of one start run one after the other, also at two services. */
    private static long lockedFirstOpenHour(Connection connection, String incarnation) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("""
                INSERT INTO cordwood_scan_nodes AS n (incarnation, first_open_hour) VALUES (?, ?)
                ON CONFLICT (incarnation) DO UPDATE SET first_open_hour = n.first_open_hour""")) {
            lock.setString(1, incarnation);
            lock.setLong(2, Long.MIN_VALUE);
            lock.executeUpdate();
        }
        try (PreparedStatement select =
                connection.prepareStatement("SELECT first_open_hour FROM cordwood_scan_nodes WHERE incarnation = ?")) {
            select.setString(1, incarnation);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
