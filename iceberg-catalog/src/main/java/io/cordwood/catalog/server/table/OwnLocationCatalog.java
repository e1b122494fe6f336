package io.cordwood.catalog.server.table;

import io.cordwood.catalog.commit.TableMetadataLimits;
import io.cordwood.catalog.commit.TimedTableOperations;
import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.server.store.Database;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.jdbc.JdbcCatalog;

/**
 * Iceberg's JDBC catalog, with a location of its own for each new table: {@code
 * <warehouse>/<namespace>/<table>/made-<epoch millis>-<unique>}, and with {@linkplain PointerTableOperations
 * operations} that do not parse a metadata file anew for each request. Thread-safe.
 *
 * <p>A table that is recreated under the name of a dropped or renamed one must not share a directory with its objects,
 * which are deleted by their location.
 *
 * <p>A table with commits of a clock that was ahead still accepts commits, by {@link TimedTableOperations}.
 */
public class OwnLocationCatalog extends JdbcCatalog {
    /** Stands for any table: all are read and written in the same way. */
    private static final TableIdentifier ANY = TableIdentifier.of("any", "any");

    private static final String SQLITE_CONNECTIONS = "8";
    private static final String POSTGRESQL_CONNECTIONS = "16";

    private final Database database;
    private MetadataFiles files;

    /** @param database the database of the catalog, which {@link #initialize} names too */
    public OwnLocationCatalog(Database database) {
        this.database = database;
    }

    /**
     * Opens the catalog, and creates Iceberg's tables in the database if they are missing.
     *
     * @param jdbcUrl address of the database
     * @param warehouse URI under which tables without a location of their own are created
     * @param settings further properties of Iceberg's catalog
     */
    public static OwnLocationCatalog open(
            String jdbcUrl, String warehouse, Map<String, String> settings, Database database) {
        Map<String, String> properties = new HashMap<>();
        properties.put(CatalogProperties.FILE_IO_IMPL, WarehouseFileIO.class.getName());
        TableMetadataLimits.properties()
                .forEach((name, value) -> properties.put(CatalogProperties.TABLE_DEFAULT_PREFIX + name, value));
        if (database.isSqlite()) {
            properties.put(CatalogProperties.CLIENT_POOL_SIZE, SQLITE_CONNECTIONS);
            properties.put("jdbc.journal_mode", "WAL");
            properties.put("jdbc.synchronous", "FULL");
            properties.put("jdbc.busy_timeout", Database.SQLITE_BUSY_TIMEOUT_MILLIS);
        } else {
            properties.put(CatalogProperties.CLIENT_POOL_SIZE, POSTGRESQL_CONNECTIONS);
        }
        properties.putAll(settings);
        properties.put(CatalogProperties.URI, jdbcUrl);
        properties.put(CatalogProperties.WAREHOUSE_LOCATION, warehouse);
        properties.put("jdbc.schema-version", "V1");
        properties.put("jdbc.strict-mode", "true");
        OwnLocationCatalog catalog = new OwnLocationCatalog(database);
        catalog.initialize(Database.CATALOG_NAME, properties);
        return catalog;
    }

    @Override
    public void initialize(String name, Map<String, String> properties) {
        super.initialize(name, properties);
        files = new MetadataFiles(super.newTableOps(ANY).io());
    }

    /** File access for the warehouse. */
    public FileIO io() {
        return files.io();
    }

    @Override
    protected TableOperations newTableOps(TableIdentifier table) {
        return new TimedTableOperations(
                new PointerTableOperations(table, database, files, this::namespaceExists), InstantSource.system());
    }

    @Override
    protected String defaultWarehouseLocation(TableIdentifier table) {
        return "%s/made-%d-%s"
                .formatted(
                        super.defaultWarehouseLocation(table),
                        System.currentTimeMillis(),
                        UUID.randomUUID().toString().substring(0, 8));
    }
}
