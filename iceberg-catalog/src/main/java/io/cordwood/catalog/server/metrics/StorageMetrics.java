package io.cordwood.catalog.server.metrics;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Metrics of table storage from the database, as Prometheus text; read for each request. Stateless. */
public final class StorageMetrics {
    private static final String ARCHIVED = "cordwood_catalog_archived_through";

    private StorageMetrics() {}

    public static String toPrometheus(Connection connection) throws SQLException {
        StringBuilder text = new StringBuilder();
        count(
                connection,
                text,
                "cordwood_catalog_tenants",
                "Tenants in the registry",
                "SELECT count(*) FROM cordwood_tenants");
        count(connection, text, "cordwood_catalog_tables", "Tables", "SELECT count(*) FROM iceberg_tables");
        ServiceMetrics.header(text, ARCHIVED, "gauge", "Offset below which all rows of a partition are in tables");
        try (PreparedStatement select = connection.prepareStatement("""
                        SELECT stream, topic_id, partition_number, next_offset FROM cordwood_archived_through
                        ORDER BY stream, topic_id, partition_number""");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                ServiceMetrics.sample(
                        text,
                        ARCHIVED,
                        "{stream=\"%s\",topic_id=\"%s\",partition=\"%d\"}"
                                .formatted(rows.getString(1), rows.getString(2), rows.getInt(3)),
                        rows.getLong(4));
            }
        }
        return text.toString();
    }

    private static void count(Connection connection, StringBuilder text, String name, String help, String query)
            throws SQLException {
        ServiceMetrics.header(text, name, "gauge", help);
        try (PreparedStatement select = connection.prepareStatement(query);
                ResultSet rows = select.executeQuery()) {
            rows.next();
            ServiceMetrics.sample(text, name, "", rows.getLong(1));
        }
    }
}
