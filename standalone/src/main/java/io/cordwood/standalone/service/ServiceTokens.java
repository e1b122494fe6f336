package io.cordwood.standalone.service;

import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.standalone.catalog.CatalogIdentity;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The users of a stack's own parts in its catalog, and their tokens. The first start makes the first operator.
 * Stateless.
 *
 * @param secrets where the tokens are kept
 * @param catalog the catalog's address
 */
record ServiceTokens(Secrets secrets, URI catalog) {
    private static final String OPERATOR = "admin";
    private static final List<ServiceRole> SERVICES =
            List.of(ServiceRole.INGEST, ServiceRole.COMPACTOR, ServiceRole.QUERY, ServiceRole.BALANCER);
    private static final Duration LIFE = Duration.ofDays(365);
    /** A token with less than this left is replaced at the next start. */
    private static final Duration RENEWAL = Duration.ofDays(60);

    /** Makes what is missing; repeating it changes nothing. */
    void issue() throws IOException, InterruptedException {
        PublicKeys keys = SigningKeys.read(secrets.signingKeys()).publicKeys();
        try (CatalogIdentity identity = new CatalogIdentity(catalog, secrets.authorities())) {
            if (!Files.exists(secrets.operatorToken())) {
                keep(secrets.operatorToken(), identity.bootstrap(read(secrets.bootstrapToken()), OPERATOR));
            }
            if (!isGood(secrets.operatorToken(), keys)) {
                keep(secrets.operatorToken(), identity.createToken(read(secrets.operatorToken()), OPERATOR, LIFE));
            }
            for (ServiceRole service : SERVICES) {
                if (!isGood(secrets.token(service.label()), keys)) {
                    String operator = read(secrets.operatorToken());
                    identity.putService(operator, service);
                    keep(secrets.token(service.label()), identity.createToken(operator, service.label(), LIFE));
                }
            }
        }
    }

    private static void keep(Path file, String token) {
        AtomicFiles.write(file, token + "\n");
    }

    private static boolean isGood(Path file, PublicKeys keys) throws IOException {
        try {
            return Files.exists(file)
                    && keys.verify(read(file)).expires().isAfter(Instant.now().plus(RENEWAL));
        } catch (InvalidTokenException e) {
            // Of keys that were replaced
            return false;
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
