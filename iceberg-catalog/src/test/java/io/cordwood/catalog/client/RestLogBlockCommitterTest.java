package io.cordwood.catalog.client;

import io.cordwood.catalog.commit.AbstractLogBlockCommitterTests;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The committer through the catalog service. */
class RestLogBlockCommitterTest extends AbstractLogBlockCommitterTests {
    @TempDir
    private Path directory;

    private CatalogServer server;
    private CatalogClient client;

    @Override
    public Catalog catalog() {
        if (server == null) {
            try {
                server = CatalogServer.start(new CatalogServerOptions(
                        "127.0.0.1",
                        0,
                        "jdbc:sqlite:" + directory.resolve("catalog.db"),
                        directory.resolve("warehouse").toString(),
                        Map.of()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            client = CatalogClient.connect(server.uri(), Map.of());
        }
        return client.catalog();
    }

    final URI uri() {
        return server.uri();
    }

    final CatalogClient client() {
        return client;
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }
}
