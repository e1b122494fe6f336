package io.cordwood.standalone.catalog;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.secret.Login;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** Connects commands to the catalog of a stack. Stateless, thread-safe. */
public final class StackCatalog {
    /** A person waits for the answer. */
    private static final Map<String, String> LIMITS = Map.of(
            "rest.client.connection-timeout-ms", "10000",
            "rest.client.socket-timeout-ms", "20000");

    private StackCatalog() {}

    /** Connects to the catalog. @throws CatalogException if it does not answer within 20 seconds */
    public static CatalogClient connect(Endpoints endpoints, Login login) {
        Map<String, String> properties = new HashMap<>(LIMITS);
        login.secrets().ifPresent(secrets -> {
            properties.put(CatalogClient.CA_FILE, secrets.authorities().toString());
            login.tokenFile()
                    .ifPresentOrElse(
                            file -> properties.put(CatalogClient.TOKEN_FILE, file.toString()),
                            () -> properties.put(CatalogClient.TOKEN, login.token()));
        });
        return CatalogClient.connect(URI.create(endpoints.catalog()), properties);
    }
}
