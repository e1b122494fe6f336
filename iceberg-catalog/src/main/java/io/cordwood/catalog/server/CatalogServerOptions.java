package io.cordwood.catalog.server;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.io.LocalFileIO;
import java.nio.file.Path;
import java.util.Map;

/**
 * The operator's settings for the service. Immutable.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 for a free one
 * @param jdbcUrl database: {@code jdbc:sqlite:<file>} or {@code jdbc:postgresql:..}
 * @param warehouse URI under which tables without a location of their own are created
 * @param catalogProperties further properties of Iceberg's catalog, for instance {@code io-impl}
 */
public record CatalogServerOptions(
        String host, int port, String jdbcUrl, String warehouse, Map<String, String> catalogProperties) {
    public CatalogServerOptions {
        requireNonNull(host, "host is null");
        requireNonNull(jdbcUrl, "jdbcUrl is null");
        if (!warehouse.contains(":")) {
            warehouse = LocalFileIO.location(Path.of(warehouse));
        }
        catalogProperties = Map.copyOf(catalogProperties);
    }
}
