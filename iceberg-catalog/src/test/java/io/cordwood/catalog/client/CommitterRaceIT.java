package io.cordwood.catalog.client;

import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.CommitterRace;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The race of the unit tests, ten times as long, through the service. */
class CommitterRaceIT {
    @TempDir
    private Path directory;

    @Test
    void committersThatRaceForTheSameRowsCommitThemOnce() throws Exception {
        CatalogServerOptions options = new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of());
        try (CatalogServer server = CatalogServer.start(options);
                CatalogClient client = CatalogClient.connect(server.uri(), Map.of())) {
            CatalogFixture fixture = new CatalogFixture(client.catalog());
            fixture.createTable();
            new CommitterRace(client.catalog(), fixture).run(2_000);
        }
    }
}
