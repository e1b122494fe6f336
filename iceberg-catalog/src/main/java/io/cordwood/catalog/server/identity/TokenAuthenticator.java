package io.cordwood.catalog.server.identity;

import io.cordwood.catalog.server.http.Authenticator;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TokenStore;
import io.cordwood.identity.BearerHeader;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.Token;
import io.cordwood.identity.VerifiedTokens;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.NotAuthorizedException;

/**
 * Finds callers by their bearer tokens: the signature by the keys, all else by one read of the database. So a
 * revocation and a change of grants count from the next request on, at every service. Thread-safe.
 */
public final class TokenAuthenticator implements Authenticator {
    private static final String EXCHANGE =
            "The token is of the lake's OpenID provider: exchange it at /cordwood/v1/oauth2/token for one of the lake";

    private final Supplier<PublicKeys> keys;
    private final Optional<OpenIdProvider> provider;
    private final Database database;
    private final InstantSource clock;
    private final VerifiedTokens tokens = new VerifiedTokens();

    /**
     * @param keys the keys of each time: they may be rotated
     * @param provider one whose tokens are not taken here, but exchanged
     */
    public TokenAuthenticator(
            Supplier<PublicKeys> keys, Optional<OpenIdProvider> provider, Database database, InstantSource clock) {
        this.keys = keys;
        this.provider = provider;
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
        try {
            return tokens.verify(keys.get(), compact);
        } catch (InvalidTokenException e) {
            throw new NotAuthorizedException(e, "%s", isExternal(compact) ? EXCHANGE : e.getMessage());
        }
    }

    private boolean isExternal(String compact) {
        return provider.map(known -> known.names(compact)).orElse(false);
    }
}
