package io.cordwood.catalog.server;

import java.util.UUID;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;

/**
 * Iceberg's JDBC catalog, with a location of its own for each table that is made: {@code
 * <warehouse>/<namespace>/<table>/made-<epoch millis>-<unique>}. Thread-safe.
 *
 * <p>A table that is made anew under the name of one that was dropped or renamed must not lie where that one's objects
 * do: they are deleted by their location.
 */
class OwnLocationCatalog extends JdbcCatalog {
    @Override
    protected String defaultWarehouseLocation(TableIdentifier table) {
        return "%s/made-%d-%s"
                .formatted(
                        super.defaultWarehouseLocation(table),
                        System.currentTimeMillis(),
                        UUID.randomUUID().toString().substring(0, 8));
    }
}
