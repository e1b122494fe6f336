package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.standalone.catalog.StackCatalog;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of commands that ask the catalog: on whose behalf. */
final class TokenOptions {
    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "a file with your token (default: $CORDWOOD_TOKEN, else secrets/operator.token of the home)")
    private Path file;

    /** Connects to the catalog of a home. */
    CatalogClient connect(Home home) {
        return connect(home, Endpoints.read(home));
    }

    /** Connects to the catalog of a home whose addresses are known. */
    CatalogClient connect(Home home, Endpoints endpoints) {
        return StackCatalog.connect(home, endpoints, Optional.ofNullable(file));
    }
}
