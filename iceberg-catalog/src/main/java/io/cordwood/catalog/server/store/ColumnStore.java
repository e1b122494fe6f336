package io.cordwood.catalog.server.store;

import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.StreamColumnParser;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.catalog.TableIdentifier;

/** The columns of tables in the database: column sets, and the set of each table. Stateless. */
public final class ColumnStore {
    private static final String UNUSED =
            "NOT EXISTS (SELECT 1 FROM cordwood_table_columns c WHERE c.columns_id = cordwood_column_sets.id)";

    private ColumnStore() {}

    /**
     * Stores the sets of these tables if they are missing, and keeps them until the transaction ends. Locks sets in the
     * order of their ids, so that two transactions cannot deadlock.
     */
    public static void addSets(Connection connection, Collection<MeteredTable> tables) throws SQLException {
        Map<String, ColumnSet> sets = new TreeMap<>();
        for (MeteredTable table : tables) {
            if (!isKnown(connection, table)) {
                sets.put(table.columns().id(), table.columns());
            }
        }
        for (ColumnSet set : sets.values()) {
            if (!lock(connection, set.id())) {
                try (PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO cordwood_column_sets (id, columns) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")) {
                    insert.setString(1, set.id());
                    insert.setString(2, set.text());
                    insert.executeUpdate();
                }
            }
        }
    }

    /** Prevents the deletion of a set before the transaction ends. Returns whether the set exists. */
    private static boolean lock(Connection connection, String id) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE cordwood_column_sets SET columns = columns WHERE id = ?")) {
            update.setString(1, id);
            return update.executeUpdate() > 0;
        }
    }

    /** Removes the entry of a dropped table. */
    static void forget(Connection connection, TableIdentifier table) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(
                "DELETE FROM cordwood_table_columns WHERE table_namespace = ? AND table_name = ?")) {
            set(delete, table);
            delete.executeUpdate();
        }
    }

    /**
     * Removes the entries of dropped tables, and then sets without a table. If a table was recreated meanwhile, its
     * entry may be removed too; it is stored again before any response uses it.
     */
    public static void forgetUnused(Connection connection) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("""
                DELETE FROM cordwood_table_columns WHERE NOT EXISTS (
                  SELECT 1 FROM iceberg_tables i
                  WHERE i.catalog_name = ? AND i.table_namespace = cordwood_table_columns.table_namespace
                    AND i.table_name = cordwood_table_columns.table_name)""")) {
            delete.setString(1, Database.CATALOG_NAME);
            delete.executeUpdate();
        }
        List<String> unused = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT id FROM cordwood_column_sets WHERE %s ORDER BY id".formatted(UNUSED));
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                unused.add(rows.getString(1));
            }
        }
        for (String id : unused) {
            // A table may have used the set before the lock: only a later statement sees that.
            if (lock(connection, id)) {
                try (PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM cordwood_column_sets WHERE id = ? AND " + UNUSED)) {
                    delete.setString(1, id);
                    delete.executeUpdate();
                }
            }
        }
    }

    /**
     * Records the set of a table if its metadata is the current one. Otherwise the newer change records more, and may
     * be of another table with that name. Writes nothing if the entry is up to date.
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
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT 1 FROM cordwood_table_columns c JOIN cordwood_column_sets s ON s.id = c.columns_id
                WHERE c.table_namespace = ? AND c.table_name = ? AND s.id = ?""")) {
            set(select, table.identifier());
            select.setString(3, table.columns().id());
            try (ResultSet rows = select.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static void set(PreparedStatement statement, TableIdentifier table) throws SQLException {
        statement.setString(1, table.namespace().level(0));
        statement.setString(2, table.name());
    }

    /** Number of a stream's tables with each set, by the set's id. */
    public static Map<String, Long> tablesBySet(Connection connection, String stream) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT c.columns_id, COUNT(*) FROM iceberg_tables i
                JOIN cordwood_table_columns c ON c.table_namespace = i.table_namespace AND c.table_name = i.table_name
                WHERE i.catalog_name = ? AND i.table_name = ? AND (i.iceberg_type IS NULL OR i.iceberg_type = 'TABLE')
                GROUP BY c.columns_id""")) {
            select.setString(1, Database.CATALOG_NAME);
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

    /** The columns of an existing set. */
    public static List<StreamColumn> columns(Connection connection, String id) throws SQLException {
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
