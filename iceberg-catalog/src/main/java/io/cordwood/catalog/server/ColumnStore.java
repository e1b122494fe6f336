package io.cordwood.catalog.server;

import io.cordwood.catalog.StreamColumn;
import io.cordwood.catalog.StreamColumnParser;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.catalog.TableIdentifier;

/** The columns of tables in the database: sets of columns, and which set a table has. Stateless. */
final class ColumnStore {
    private ColumnStore() {}

    /** Makes sure that the sets of these tables are there, in an order that everybody keeps to. */
    static void addSets(Connection connection, Collection<MeteredTable> tables) throws SQLException {
        Map<String, ColumnSet> sets = new TreeMap<>();
        tables.forEach(table -> sets.put(table.columns().id(), table.columns()));
        for (ColumnSet set : sets.values()) {
            if (text(connection, set.id()).isEmpty()) {
                try (PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO cordwood_column_sets (id, columns) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")) {
                    insert.setString(1, set.id());
                    insert.setString(2, set.text());
                    insert.executeUpdate();
                }
            }
        }
    }

    /**
     * Notes which set a table has, if its metadata is the current one: else what changed it says more, and may be of
     * another table of that name. Writes nothing if that is known.
     */
    static void put(Connection connection, MeteredTable table) throws SQLException {
        boolean isCurrent = PointerStore.metadataLocation(connection, table.identifier())
                .filter(table.metadataLocation()::equals)
                .isPresent();
        if (!isCurrent || isKnown(connection, table)) {
            return;
        }
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO cordwood_table_columns (table_namespace, table_name, columns_id) VALUES (?, ?, ?)
                ON CONFLICT (table_namespace, table_name) DO UPDATE SET columns_id = excluded.columns_id""")) {
            set(upsert, table.identifier());
            upsert.setString(3, table.columns().id());
            upsert.executeUpdate();
        }
    }

    private static boolean isKnown(Connection connection, MeteredTable table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT columns_id FROM cordwood_table_columns WHERE table_namespace = ? AND table_name = ?")) {
            set(select, table.identifier());
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() && rows.getString(1).equals(table.columns().id());
            }
        }
    }

    private static void set(PreparedStatement statement, TableIdentifier table) throws SQLException {
        statement.setString(1, table.namespace().level(0));
        statement.setString(2, table.name());
    }

    /** How many tables of a stream have each set, by the set's id. */
    static Map<String, Long> tablesBySet(Connection connection, String stream) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT c.columns_id, COUNT(*) FROM iceberg_tables i
                JOIN cordwood_table_columns c ON c.table_namespace = i.table_namespace AND c.table_name = i.table_name
                WHERE i.catalog_name = ? AND i.table_name = ? AND (i.iceberg_type IS NULL OR i.iceberg_type = 'TABLE')
                GROUP BY c.columns_id""")) {
            select.setString(1, CatalogServer.CATALOG_NAME);
            select.setString(2, stream);
            Map<String, Long> tables = new TreeMap<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    tables.put(rows.getString(1), rows.getLong(2));
                }
            }
            return tables;
        }
    }

    /** The columns of a set that there is. */
    static List<StreamColumn> columns(Connection connection, String id) throws SQLException {
        String text = text(connection, id)
                .orElseThrow(() -> new SQLException("The set of columns %s is not in the database".formatted(id)));
        return StreamColumnParser.fromJson(text);
    }

    private static Optional<String> text(Connection connection, String id) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT columns FROM cordwood_column_sets WHERE id = ?")) {
            select.setString(1, id);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }
}
