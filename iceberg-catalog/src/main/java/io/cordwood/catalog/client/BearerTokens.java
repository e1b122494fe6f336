package io.cordwood.catalog.client;

import io.cordwood.identity.TokenFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.rest.HTTPHeaders;
import org.apache.iceberg.rest.HTTPRequest;
import org.apache.iceberg.rest.ImmutableHTTPRequest;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.auth.AuthManager;
import org.apache.iceberg.rest.auth.AuthSession;

/**
 * Puts the bearer token of a client's properties into the requests of Iceberg's REST client: as it is, without the
 * exchanges for newer ones that Iceberg's own manager makes. Thread-safe; Iceberg creates it by its class name.
 */
public final class BearerTokens implements AuthManager {
    /** @param name name of the catalog, which does not matter here */
    public BearerTokens(String name) {}

    /**
     * The token of these properties; empty if they have none.
     *
     * @throws IllegalArgumentException if they have both a token and a file
     */
    static Optional<Supplier<String>> of(Map<String, String> properties) {
        String token = properties.get(CatalogClient.TOKEN);
        String file = properties.get(CatalogClient.TOKEN_FILE);
        if (token != null && file != null) {
            throw new IllegalArgumentException(
                    "Give either %s or %s, not both".formatted(CatalogClient.TOKEN, CatalogClient.TOKEN_FILE));
        }
        if (file != null) {
            return Optional.of(new TokenFile(Path.of(file)));
        }
        return Optional.ofNullable(token).map(fixed -> () -> fixed);
    }

    @Override
    public AuthSession catalogSession(RESTClient client, Map<String, String> properties) {
        return of(properties).<AuthSession>map(Session::new).orElse(AuthSession.EMPTY);
    }

    private record Session(Supplier<String> token) implements AuthSession {
        @Override
        public HTTPRequest authenticate(HTTPRequest request) {
            HTTPHeaders headers =
                    request.headers().putIfAbsent(HTTPHeaders.of(Map.of("Authorization", "Bearer " + token.get())));
            return ImmutableHTTPRequest.builder().from(request).headers(headers).build();
        }

        @Override
        public void close() {}
    }

    @Override
    public void close() {}
}
