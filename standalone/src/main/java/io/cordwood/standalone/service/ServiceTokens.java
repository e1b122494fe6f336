package io.cordwood.standalone.service;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.Audience;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.Token;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.exceptions.NotAuthorizedException;

/**
 * The users of a stack's own parts in its catalog, and their tokens. The first start makes the first operator.
 * Stateless.
 *
 * @param secrets where the tokens are kept
 * @param catalog the catalog's address
 */
record ServiceTokens(Secrets secrets, URI catalog) {
    private static final String OPERATOR = "admin";
    private static final int UNAUTHORIZED = 401;
    private static final List<ServiceRole> SERVICES = List.of(
            ServiceRole.INGEST,
            ServiceRole.COMPACTOR,
            ServiceRole.QUERY,
            ServiceRole.SEARCH,
            ServiceRole.GATEWAY,
            ServiceRole.BALANCER);
    /** A token with less than this left is replaced at the next start. */
    private static final Duration RENEWAL = Duration.ofDays(60);

    /** Makes what is missing; repeating it changes nothing. */
    void issue() throws IOException {
        PublicKeys keys = SigningKeys.read(secrets.signingKeys()).publicKeys();
        Map<String, String> authorities =
                Map.of(CatalogClient.CA_FILE, secrets.authorities().toString());
        if (!Files.exists(secrets.operatorToken())) {
            keep(
                    secrets.operatorToken(),
                    CatalogClient.bootstrap(catalog, authorities, read(secrets.bootstrapToken()), OPERATOR));
        }
        Map<String, String> properties = new HashMap<>(authorities);
        properties.put(CatalogClient.TOKEN_FILE, secrets.operatorToken().toString());
        try (CatalogClient client = operator(properties)) {
            if (!isLong(secrets.operatorToken(), keys)) {
                keep(secrets.operatorToken(), newToken(client, OPERATOR));
            }
            for (ServiceRole service : SERVICES) {
                Path token = secrets.token(service.label());
                if (!isGood(token, keys, client)) {
                    client.putUser(User.service(service));
                    keep(token, newToken(client, service.label()));
                }
            }
        }
    }

    private CatalogClient operator(Map<String, String> properties) {
        try {
            return CatalogClient.connect(catalog, properties);
        } catch (CatalogException e) {
            if (isRefused(e)) {
                throw new CordwoodException(
                        "the catalog refuses the token in %s: replace it by another operator's"
                                .formatted(secrets.operatorToken()),
                        e);
            }
            throw e;
        }
    }

    private static boolean isRefused(CatalogException e) {
        return e.status() == UNAUTHORIZED || e.getCause() instanceof NotAuthorizedException;
    }

    private static IssuedToken newToken(CatalogClient client, String user) {
        return client.createToken(user, TokenRequest.requests(Optional.empty(), Optional.of(Token.MAX_LIFE)));
    }

    private static void keep(Path file, IssuedToken token) {
        AtomicFiles.write(file, token.token() + "\n");
    }

    /** Whether a service can go on with its token: the catalog knows it, and it is neither revoked nor soon to end. */
    private static boolean isGood(Path file, PublicKeys keys, CatalogClient client) throws IOException {
        if (!isLong(file, keys)) {
            return false;
        }
        try {
            Token token = keys.verify(read(file), Audience.REQUESTS);
            return client.tokens(token.user()).stream()
                    .anyMatch(known ->
                            known.id().equals(token.id()) && known.revoked().isEmpty());
        } catch (InvalidTokenException e) {
            return false;
        }
    }

    private static boolean isLong(Path file, PublicKeys keys) throws IOException {
        try {
            return Files.exists(file)
                    && keys.verify(read(file), Audience.REQUESTS)
                            .expires()
                            .isAfter(Instant.now().plus(RENEWAL));
        } catch (InvalidTokenException e) {
            // Of keys that were replaced
            return false;
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
