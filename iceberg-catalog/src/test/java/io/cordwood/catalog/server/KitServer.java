package io.cordwood.catalog.server;

import io.cordwood.catalog.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A service that Iceberg's compatibility kit is pointed at, by the system properties that it reads. */
final class KitServer implements BeforeAllCallback, AfterAllCallback {
    private Path directory;
    private CatalogServer server;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        directory = Files.createTempDirectory("compatibility-kit");
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
        settings().forEach(System::setProperty);
    }

    private Map<String, String> settings() {
        return Map.of(
                CatalogProperties.URI,
                server.uri().toString(),
                CatalogProperties.FILE_IO_IMPL,
                LocalFileIO.class.getName(),
                "rck.requires-namespace-create",
                "true");
    }

    /** Where all tables lie. */
    String warehouse() {
        return directory.resolve("warehouse").toUri().toString().replaceFirst("/+$", "");
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        settings().keySet().forEach(System::clearProperty);
        server.close();
        new LocalFileIO().deletePrefix(directory.toString());
    }
}
