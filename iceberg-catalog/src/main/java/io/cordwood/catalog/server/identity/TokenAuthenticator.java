package io.cordwood.catalog.server.identity;

import io.cordwood.catalog.server.http.Authenticator;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TokenStore;
import io.cordwood.identity.BearerHeader;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.Token;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.NotAuthorizedException;

/**
 * Finds callers by their bearer tokens: the signature by the keys, all else by one read of the database. So a
 * revocation and a change of grants count from the next request on, at every service. Thread-safe.
 */
public final class TokenAuthenticator implements Authenticator {
    /** Verified signatures that are remembered: a service sends one token with thousands of requests. */
    private static final int REMEMBERED = 1024;

    private final Supplier<PublicKeys> keys;
    private final Database database;
    private final InstantSource clock;
    private final Map<String, Token> verified = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Token> eldest) {
            return size() > REMEMBERED;
        }
    };
    /** Guarded by {@link #verified}. */
    private PublicKeys verifiedWith;

    /** @param keys the keys of each time: they may be rotated */
    public TokenAuthenticator(Supplier<PublicKeys> keys, Database database, InstantSource clock) {
        this.keys = keys;
        this.database = database;
        this.clock = clock;
    }

    @Override
    public Caller caller(Optional<String> authorization) {
        return caller(compact(authorization));
    }

    /** The bearer token of a request's header. @throws NotAuthorizedException if there is none */
    static String compact(Optional<String> authorization) {
        return authorization
                .flatMap(BearerHeader::token)
                .orElseThrow(() -> new NotAuthorizedException(
                        "This lake has authentication: send a token in the header 'Authorization: Bearer TOKEN'"));
    }

    /** The bearer of a token. @throws NotAuthorizedException if it is not good */
    Caller caller(String compact) {
        Token token = verify(compact);
        if (token.isExpired(clock.instant())) {
            throw new NotAuthorizedException("The token has expired");
        }
        TokenStore.Bearer bearer = database.read(connection -> TokenStore.bearer(connection, token.id()))
                .filter(found -> found.user().name().equals(token.user())
                        && found.user().service().equals(token.service()))
                .orElseThrow(() -> new NotAuthorizedException("The token is not known"));
        if (bearer.revoked()) {
            throw new NotAuthorizedException("The token is revoked");
        }
        return Caller.of(bearer.user(), token);
    }

    private Token verify(String compact) {
        PublicKeys current = keys.get();
        synchronized (verified) {
            if (current != verifiedWith) {
                // What was signed with a key that is gone is no longer good
                verified.clear();
                verifiedWith = current;
            }
            Token known = verified.get(compact);
            if (known != null) {
                return known;
            }
        }
        try {
            Token token = current.verify(compact);
            synchronized (verified) {
                if (current == verifiedWith) {
                    verified.put(compact, token);
                }
            }
            return token;
        } catch (InvalidTokenException e) {
            throw new NotAuthorizedException(e, "%s", e.getMessage());
        }
    }
}
