package io.cordwood.catalog.server.store;

import io.cordwood.catalog.usage.IngestTotals;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageJournal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** Usage by tenant, stream and hour in the database, and the last added commit of each table. Stateless. */
public final class UsageStore {
    /** The parts of usage: ingested, scanned in open hours, scanned in closed hours. */
    private static final int PARTS = 3;

    private UsageStore() {}

    /**
     * Adds the commits of a journal that were not added before. A repetition changes nothing: the number of the last
     * added commit changes in the same transaction. So do the table's columns.
     *
     * @return number of commits that the journal has dropped before they were added; 0 if all is well
     */
    public static long add(Connection connection, MeteredTable table) throws SQLException {
        long added = lockedLastSequence(connection, table);
        UsageJournal journal = table.journal();
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_usage AS u (tenant_id, stream, usage_hour, row_count, raw_bytes, stored_bytes)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (tenant_id, stream, usage_hour) DO UPDATE SET row_count = u.row_count + excluded.row_count,
                  raw_bytes = u.raw_bytes + excluded.raw_bytes, stored_bytes = u.stored_bytes + excluded.stored_bytes""")) {
            for (UsageJournal.Addition addition : journal.additions()) {
                if (addition.sequence() > added) {
                    upsert.setString(1, TenantIdColumn.write(journal.tenantId()));
                    upsert.setString(2, table.stream());
                    upsert.setLong(3, addition.hour());
                    upsert.setLong(4, addition.amount().rows());
                    upsert.setLong(5, addition.amount().rawBytes());
                    upsert.setLong(6, addition.amount().storedBytes());
                    upsert.executeUpdate();
                }
            }
        }
        if (journal.lastSequence() >= added) {
            update(connection, table, journal.lastSequence());
            ColumnStore.put(connection, table);
        }
        return Math.max(0, journal.firstSequence() - 1 - added);
    }

    /** The update locks the row, so that two services do not add the same commit at once. */
    private static long lockedLastSequence(Connection connection, MeteredTable table) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("""
                INSERT INTO cordwood_metered_tables AS m (table_uuid, last_sequence, metadata_location) VALUES (?, 0, ?)
                ON CONFLICT (table_uuid) DO UPDATE SET last_sequence = m.last_sequence""")) {
            lock.setString(1, table.uuid());
            lock.setString(2, table.metadataLocation());
            lock.executeUpdate();
        }
        return lastSequence(connection, table.uuid());
    }

    private static void update(Connection connection, MeteredTable table, long lastSequence) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE cordwood_metered_tables SET last_sequence = ?, metadata_location = ? WHERE table_uuid = ?")) {
            update.setLong(1, lastSequence);
            update.setString(2, table.metadataLocation());
            update.setString(3, table.uuid());
            update.executeUpdate();
        }
    }

    /** Number of the last added commit of a table; 0 if there is none. */
    public static long lastSequence(Connection connection, String tableUuid) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT last_sequence FROM cordwood_metered_tables WHERE table_uuid = ?")) {
            select.setString(1, tableUuid);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0;
            }
        }
    }

    /** The first hour with usage that passes a filter. */
    public static OptionalLong firstHour(Connection connection, UsageFilter filter) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT MIN(first_hour) FROM (
                  SELECT MIN(usage_hour) AS first_hour FROM cordwood_usage %1$s
                  UNION ALL SELECT MIN(usage_hour) FROM cordwood_scans %1$s
                  UNION ALL SELECT MIN(usage_hour) FROM cordwood_closed_scans %1$s) AS hours""".formatted(where(filter)))) {
            set(select, filter);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                long hour = rows.getLong(1);
                return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(hour);
            }
        }
    }

    /**
     * The end of a page: the hour up to which a filter passes about so many rows, but at least one hour; the filter's
     * own end if there are fewer.
     */
    public static long pageEnd(Connection connection, UsageFilter filter, long rows) throws SQLException {
        String where = where(filter);
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT usage_hour, COUNT(*) FROM (
                  SELECT usage_hour FROM cordwood_usage %1$s
                  UNION ALL SELECT usage_hour FROM cordwood_scans %1$s
                  UNION ALL SELECT usage_hour FROM cordwood_closed_scans %1$s) AS parts
                GROUP BY usage_hour ORDER BY usage_hour""".formatted(where))) {
            set(select, filter);
            long seen = 0;
            try (ResultSet hours = select.executeQuery()) {
                while (hours.next()) {
                    seen += hours.getLong(2);
                    if (seen >= rows) {
                        return hours.getLong(1) + 1;
                    }
                }
            }
        }
        return filter.toHour();
    }

    /** All usage that passes a filter, ordered by hour, tenant and stream. */
    public static List<Usage> usage(Connection connection, UsageFilter filter) throws SQLException {
        String where = where(filter);
        List<Usage> usage = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT tenant_id, stream, usage_hour, SUM(row_count), SUM(raw_bytes), SUM(stored_bytes),
                  SUM(scanned_bytes)
                FROM (
                  SELECT tenant_id, stream, usage_hour, row_count, raw_bytes, stored_bytes, 0 AS scanned_bytes
                  FROM cordwood_usage %1$s
                  UNION ALL
                  SELECT tenant_id, stream, usage_hour, 0, 0, 0, scanned_bytes
                  FROM cordwood_scans %1$s
                  UNION ALL
                  SELECT tenant_id, stream, usage_hour, 0, 0, 0, scanned_bytes
                  FROM cordwood_closed_scans %1$s) AS parts
                GROUP BY usage_hour, tenant_id, stream ORDER BY usage_hour, tenant_id, stream""".formatted(where))) {
            set(select, filter);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    usage.add(new Usage(
                            TenantIdColumn.read(rows.getString(1)),
                            rows.getString(2),
                            rows.getLong(3),
                            new IngestTotals(rows.getLong(4), rows.getLong(5), rows.getLong(6)),
                            rows.getLong(7)));
                }
            }
        }
        return usage;
    }

    private static String where(UsageFilter filter) {
        String hours = "WHERE usage_hour >= ? AND usage_hour < ?";
        return filter.tenantIds().isEmpty()
                ? hours
                : hours
                        + " AND tenant_id IN (%s)"
                                .formatted(String.join(
                                        ", ",
                                        Collections.nCopies(filter.tenantIds().size(), "?")));
    }

    /** Sets the parameters of a condition for each part, as {@link #where} writes them. */
    private static void set(PreparedStatement select, UsageFilter filter) throws SQLException {
        int parameter = 1;
        for (int part = 0; part < PARTS; part++) {
            select.setLong(parameter++, filter.fromHour());
            select.setLong(parameter++, filter.toHour());
            for (String tenant : filter.tenantIds()) {
                select.setString(parameter++, TenantIdColumn.write(tenant));
            }
        }
    }

    /** Removes all hours before this one. */
    public static void forgetBefore(Connection connection, long hour) throws SQLException {
        for (String condition : List.of(
                "cordwood_usage WHERE usage_hour",
                "cordwood_scans WHERE usage_hour",
                "cordwood_closed_scans WHERE usage_hour",
                "cordwood_scan_nodes WHERE first_open_hour")) {
            try (PreparedStatement delete = connection.prepareStatement("DELETE FROM " + condition + " < ?")) {
                delete.setLong(1, hour);
                delete.executeUpdate();
            }
        }
    }
}
