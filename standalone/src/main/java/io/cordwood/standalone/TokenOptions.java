package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.standalone.catalog.StackCatalog;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Login;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** As whom a command acts on a stack with authentication. */
final class TokenOptions {
    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "act with the token in this file (default: $CORDWOOD_TOKEN, else the operator's of a stack with --auth)")
    private Path tokenFile;

    Login login(Endpoints endpoints) {
        return Login.of(endpoints, Optional.ofNullable(tokenFile));
    }

    /** Connects to the catalog of a home. */
    CatalogClient connect(Home home) {
        return connect(Endpoints.read(home));
    }

    /** Connects to the catalog of a stack. */
    CatalogClient connect(Endpoints endpoints) {
        return StackCatalog.connect(endpoints, login(endpoints));
    }
}
