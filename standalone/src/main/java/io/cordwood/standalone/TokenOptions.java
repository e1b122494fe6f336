package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.AccessToken;
import io.cordwood.standalone.catalog.StackCatalog;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Login;
import io.cordwood.standalone.secret.Secrets;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
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

    /** Exchanges the token for a short one of the stack. */
    AccessToken exchange(Endpoints endpoints) {
        Login login = login(endpoints);
        Secrets secrets = login.secrets()
                .orElseThrow(() -> new CordwoodException("the stack has no authentication, and so no tokens"));
        return CatalogClient.exchange(
                URI.create(endpoints.catalog()),
                Map.of(CatalogClient.CA_FILE, secrets.authorities().toString()),
                login.token());
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
