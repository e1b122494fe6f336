package io.cordwood.catalog.server.table;

import io.cordwood.catalog.commit.TimedTableOperations;
import java.time.InstantSource;
import java.util.UUID;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.jdbc.JdbcCatalog;

/**
 * Iceberg's JDBC catalog, with a location of its own for each table that is made: {@code
 * <warehouse>/<namespace>/<table>/made-<epoch millis>-<unique>}. Thread-safe.
 *
 * <p>A table that is made anew under the name of one that was dropped or renamed must not lie where that one's objects
 * do: they are deleted by their location.
 *
 * <p>A table that was committed to by a clock that was ahead can be committed to, as {@link TimedTableOperations}
 * tells.
 */
public class OwnLocationCatalog extends JdbcCatalog {
    /** Stands for any table: all are read and written alike. */
    private static final TableIdentifier ANY = TableIdentifier.of("any", "any");

    /** Reads and writes objects of the warehouse. */
    public FileIO io() {
        return newTableOps(ANY).io();
    }

    @Override
    protected TableOperations newTableOps(TableIdentifier table) {
        return new TimedTableOperations(super.newTableOps(table), InstantSource.system());
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
