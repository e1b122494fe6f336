package io.cordwood.standalone.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Connects commands to the catalog of a stack. Stateless, thread-safe.
 *
 * <p>The token is that of {@code --token-file}, else that in {@code CORDWOOD_TOKEN}, else the operator's in the home. A
 * stack without authentication needs none.
 */
public final class StackCatalog {
    private static final String VARIABLE = "CORDWOOD_TOKEN";
    private static final ObjectMapper JSON = new ObjectMapper();
    /** A person waits for the answer. */
    private static final Map<String, String> LIMITS = Map.of(
            "rest.client.connection-timeout-ms", "10000",
            "rest.client.socket-timeout-ms", "20000");

    private StackCatalog() {}

    /** Connects to the catalog of a stack without authentication. */
    public static CatalogClient connect(Endpoints endpoints) {
        return CatalogClient.connect(URI.create(endpoints.catalog()), LIMITS);
    }

    /** Connects to the catalog as the operator of the home, or the user of the environment's token. */
    public static CatalogClient connect(Home home, Endpoints endpoints) {
        return connect(home, endpoints, Optional.empty());
    }

    /**
     * Connects to the catalog.
     *
     * @param tokenFile a file with the token to use
     * @throws CatalogException if it does not answer within 20 seconds
     * @throws CordwoodException if the token cannot be read
     */
    public static CatalogClient connect(Home home, Endpoints endpoints, Optional<Path> tokenFile) {
        Map<String, String> properties = new HashMap<>(LIMITS);
        token(home, tokenFile, Optional.ofNullable(System.getenv(VARIABLE)))
                .ifPresent(token -> properties.put(CatalogClient.TOKEN, token));
        authorities(home).ifPresent(file -> properties.put(CatalogClient.CA_FILE, file));
        return CatalogClient.connect(URI.create(endpoints.catalog()), properties);
    }

    static Optional<String> token(Home home, Optional<Path> tokenFile, Optional<String> variable) {
        if (tokenFile.isPresent()) {
            return Optional.of(read(tokenFile.get()));
        }
        Optional<String> set = variable.map(String::strip).filter(token -> !token.isEmpty());
        if (set.isPresent()) {
            return set;
        }
        Path own = home.operatorToken();
        return Files.exists(own) ? Optional.of(read(own)) : Optional.empty();
    }

    private static String read(Path file) {
        try {
            String token = Files.readString(file).strip();
            if (token.isEmpty()) {
                throw new CordwoodException("the token file %s is empty".formatted(file));
            }
            return token;
        } catch (IOException e) {
            throw new CordwoodException("cannot read the token in %s: %s".formatted(file, Errors.text(e)), e);
        }
    }

    /** The file of authorities of a stack with TLS. */
    private static Optional<String> authorities(Home home) {
        try {
            JsonNode ca = JSON.readTree(Files.readAllBytes(home.endpoints())).path("ca");
            return ca.isTextual() && !ca.textValue().isEmpty() ? Optional.of(ca.textValue()) : Optional.empty();
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s: %s".formatted(home.endpoints(), Errors.text(e)), e);
        }
    }
}
