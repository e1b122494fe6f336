package io.cordwood.catalog.server.store;

import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;

/** Pointers to the tables of a stream, from the tables of Iceberg's JDBC catalog. Stateless. */
public final class PointerStore {
    private static final String SELECT = """
            SELECT i.table_namespace, i.metadata_location, t.tenant_id FROM iceberg_tables i
            LEFT JOIN cordwood_tenants t ON t.schema_name = i.table_namespace
            WHERE i.catalog_name = ? AND i.table_name = ? AND (i.iceberg_type IS NULL OR i.iceberg_type = 'TABLE')""";
    private static final String POINTERS = """
            SELECT table_namespace, table_name, metadata_location FROM iceberg_tables
            WHERE catalog_name = ? AND (iceberg_type IS NULL OR iceberg_type = 'TABLE')""";
    /** For more tenants than this, reads all tables of the stream and filters them. */
    private static final int MAX_POINT_QUERIES = 200;

    private PointerStore() {}

    /**
     * Pointers to all tables of the stream. Reads archived-through first, so that the tables have at least these rows.
     */
    public static Pointers all(Connection connection, String stream) throws SQLException {
        TableOffsets archivedThrough = OffsetStore.archivedThrough(connection, stream);
        List<TablePointer> tables = allTables(connection, stream);
        return pointers(archivedThrough, tables, OffsetStore.floorsByTenant(connection, stream));
    }

    /** Pointers to the tables of these tenants; reads archived-through first. */
    public static Pointers of(Connection connection, String stream, Collection<String> tenantIds) throws SQLException {
        TableOffsets archivedThrough = OffsetStore.archivedThrough(connection, stream);
        List<TablePointer> tables = new ArrayList<>();
        Map<String, TableOffsets> floors = new TreeMap<>();
        if (tenantIds.size() > MAX_POINT_QUERIES) {
            tables.addAll(allTables(connection, stream));
            tables.removeIf(table -> !tenantIds.contains(table.tenantId()));
            floors.putAll(OffsetStore.floorsByTenant(connection, stream));
            floors.keySet().retainAll(tenantIds);
        } else {
            for (String tenantId : tenantIds) {
                tables.addAll(tableOf(connection, stream, tenantId));
                TableOffsets floor = OffsetStore.floors(connection, stream, tenantId);
                if (!floor.isEmpty()) {
                    floors.put(tenantId, floor);
                }
            }
        }
        return pointers(archivedThrough, tables, floors);
    }

    private static Pointers pointers(
            TableOffsets archivedThrough, List<TablePointer> tables, Map<String, TableOffsets> floors) {
        tables.sort(Comparator.comparing(TablePointer::tenantId));
        return new Pointers(archivedThrough.entries(), tables, floors);
    }

    private static List<TablePointer> allTables(Connection connection, String stream) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setString(1, Database.CATALOG_NAME);
            select.setString(2, stream);
            return tables(select);
        }
    }

    private static List<TablePointer> tableOf(Connection connection, String stream, String tenantId)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT + " AND i.table_namespace = ?")) {
            select.setString(1, Database.CATALOG_NAME);
            select.setString(2, stream);
            select.setString(3, TenantNames.schemaName(tenantId));
            return tables(select);
        }
    }

    /** Location of a table's metadata file, whether the file exists or not; empty if there is no such table. */
    public static Optional<String> metadataLocation(Connection connection, TableIdentifier table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT metadata_location FROM iceberg_tables
                WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?
                  AND (iceberg_type IS NULL OR iceberg_type = 'TABLE')""")) {
            select.setString(1, Database.CATALOG_NAME);
            select.setString(2, namespace(table));
            select.setString(3, table.name());
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
            }
        }
    }

    /** All tables with the locations of their metadata files. */
    public static List<StoredPointer> all(Connection connection) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(POINTERS + " ORDER BY table_namespace, table_name")) {
            select.setString(1, Database.CATALOG_NAME);
            return locations(select);
        }
    }

    /** The tables of a namespace with the locations of their metadata files. */
    public static List<StoredPointer> of(Connection connection, Namespace namespace) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(POINTERS + " AND table_namespace = ?")) {
            select.setString(1, Database.CATALOG_NAME);
            select.setString(2, namespace.toString());
            return locations(select);
        }
    }

    private static List<StoredPointer> locations(PreparedStatement select) throws SQLException {
        List<StoredPointer> tables = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                tables.add(new StoredPointer(
                        TableIdentifier.of(Namespace.of(rows.getString(1)), rows.getString(2)), rows.getString(3)));
            }
        }
        return tables;
    }

    /** Registers the namespace of a table, as Iceberg's JDBC catalog does, if it is not there. */
    public static void createNamespace(Connection connection, Namespace namespace) throws SQLException {
        Statements.update(connection, """
                INSERT INTO iceberg_namespace_properties (catalog_name, namespace, property_key, property_value)
                VALUES (?, ?, 'exists', 'true') ON CONFLICT DO NOTHING""", Database.CATALOG_NAME, namespace.toString());
    }

    /** Points to the first metadata file of a table. False if there is such a table or view. */
    public static boolean create(Connection connection, TableIdentifier table, String metadataLocation)
            throws SQLException {
        return Statements.update(
                        connection, """
                        INSERT INTO iceberg_tables
                            (catalog_name, table_namespace, table_name, metadata_location, iceberg_type)
                        VALUES (?, ?, ?, ?, 'TABLE') ON CONFLICT DO NOTHING""", Database.CATALOG_NAME, namespace(table), table.name(), metadataLocation)
                == 1;
    }

    /** Points to the next metadata file of a table. False if the table no longer has the previous one. */
    public static boolean move(Connection connection, TableIdentifier table, String previousLocation, String location)
            throws SQLException {
        return Statements.update(
                        connection,
                        """
                        UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?
                        WHERE catalog_name = ? AND table_namespace = ? AND table_name = ? AND metadata_location = ?
                          AND (iceberg_type IS NULL OR iceberg_type = 'TABLE')""",
                        location,
                        previousLocation,
                        Database.CATALOG_NAME,
                        namespace(table),
                        table.name(),
                        previousLocation)
                == 1;
    }

    /** A table's namespace as Iceberg's JDBC catalog writes it. */
    private static String namespace(TableIdentifier table) {
        return String.join(".", table.namespace().levels());
    }

    /**
     * Drops a table, and the entry of its columns.
     *
     * @param metadataLocation its metadata file when the table was read
     * @throws CommitFailedException if the table has changed since
     */
    public static void drop(Connection connection, TableIdentifier table, String metadataLocation) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("""
                DELETE FROM iceberg_tables
                WHERE catalog_name = ? AND table_namespace = ? AND table_name = ? AND metadata_location = ?""")) {
            delete.setString(1, Database.CATALOG_NAME);
            delete.setString(2, namespace(table));
            delete.setString(3, table.name());
            delete.setString(4, metadataLocation);
            if (delete.executeUpdate() == 0) {
                throw new CommitFailedException("Table %s has changed since it was read: try again", table);
            }
        }
        ColumnStore.forget(connection, table);
    }

    /** Tables whose metadata is newer than the last addition of their usage, or whose columns are unknown. */
    public static List<StoredPointer> moved(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT i.table_namespace, i.table_name, i.metadata_location FROM iceberg_tables i
                WHERE i.catalog_name = ? AND (i.iceberg_type IS NULL OR i.iceberg_type = 'TABLE') AND (NOT EXISTS (
                    SELECT 1 FROM cordwood_metered_tables m WHERE m.metadata_location = i.metadata_location)
                  OR NOT EXISTS (
                    SELECT 1 FROM cordwood_table_columns c JOIN cordwood_column_sets s ON s.id = c.columns_id
                    WHERE c.table_namespace = i.table_namespace AND c.table_name = i.table_name))""")) {
            select.setString(1, Database.CATALOG_NAME);
            return locations(select);
        }
    }

    private static List<TablePointer> tables(PreparedStatement select) throws SQLException {
        List<TablePointer> tables = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                String namespace = rows.getString(1);
                String location = rows.getString(2);
                Optional.ofNullable(rows.getString(3))
                        .map(TenantIdColumn::read)
                        .or(() -> tenantId(namespace))
                        .ifPresent(tenantId -> tables.add(new TablePointer(tenantId, namespace, location)));
            }
        }
        return tables;
    }

    /** The tenant of a namespace that another program created; empty if no tenant can have it. */
    private static Optional<String> tenantId(String namespace) {
        try {
            return TenantNames.tenantId(namespace);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
