package io.cordwood.catalog.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The newest known time of Kafka's brokers, in the database. Stateless. */
public final class AppendTimeStore {
    /** The table has one row. */
    private static final int ONLY = 1;

    private AppendTimeStore() {}

    /**
     * Raises the time to this one, and to the hour in which Kafka appended the newest row in tables.
     *
     * @param reckoned lower bound of the present time, milliseconds since the epoch
     * @return the time; empty if no table has a row yet
     */
    public static OptionalLong raise(Connection connection, OptionalLong reckoned) throws SQLException {
        long time = reckoned.orElse(Long.MIN_VALUE);
        OptionalLong hour = number(connection, "SELECT MAX(usage_hour) FROM cordwood_usage");
        if (hour.isPresent()) {
            time = Math.max(time, TimeUnit.HOURS.toMillis(hour.getAsLong()));
        }
        if (time > Long.MIN_VALUE) {
            raise(connection, time);
        }
        return number(connection, "SELECT append_millis FROM cordwood_append_time");
    }

    private static void raise(Connection connection, long millis) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_append_time AS a (only_row, append_millis) VALUES (?, ?)
                ON CONFLICT (only_row) DO UPDATE SET append_millis = excluded.append_millis
                WHERE a.append_millis < excluded.append_millis""")) {
            upsert.setInt(1, ONLY);
            upsert.setLong(2, millis);
            upsert.executeUpdate();
        }
    }

    private static OptionalLong number(Connection connection, String query) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(query);
                ResultSet rows = select.executeQuery()) {
            if (!rows.next()) {
                return OptionalLong.empty();
            }
            long number = rows.getLong(1);
            return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
        }
    }
}
