package io.cordwood.catalog.server.identity;

import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TokenStore;
import io.cordwood.catalog.server.store.UserStore;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.TokenRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotFoundException;

/** Issued tokens and their revocation. Thread-safe. */
public final class TokenRegistry {
    /** So many readers of the rules cost no more than one. Older rules are complete until an earlier time. */
    private static final Duration RULES_AGE = Duration.ofSeconds(1);
    /** Longer than an access token lives, so that the line between a token and its API key is whole. */
    private static final Duration KEPT = Duration.ofHours(2);

    private record Cached(TokenRules rules, long nanos) {}

    private final Supplier<PublicKeys> keys;
    private final Database database;
    private final Revocations revocations;
    private final Audit audit;
    private final InstantSource clock;
    private volatile Optional<Cached> cached = Optional.empty();

    /**
     * @param keys the keys of each time: they may be rotated
     * @param clock clock that ends tokens
     */
    public TokenRegistry(
            Supplier<PublicKeys> keys, Database database, Revocations revocations, Audit audit, InstantSource clock) {
        this.keys = keys;
        this.database = database;
        this.revocations = revocations;
        this.audit = audit;
        this.clock = clock;
    }

    /** The rules of tokens, at most a second old. */
    public synchronized TokenRules rules() {
        long now = System.nanoTime();
        if (cached.isEmpty() || now - cached.get().nanos() > RULES_AGE.toNanos()) {
            TokenRules rules = database.write(connection -> {
                Instant completeUntil = revocations.begin(connection);
                return new TokenRules(keys.get(), TokenStore.revoked(connection), completeUntil);
            });
            cached = Optional.of(new Cached(rules, now));
        }
        return cached.get().rules();
    }

    /** Tokens of a user, or all. */
    public List<RegisteredToken> tokens(Optional<String> userName) {
        return database.read(connection ->
                userName.isPresent() ? TokenStore.ofUser(connection, userName.get()) : TokenStore.all(connection));
    }

    /**
     * Revokes a token and those that it was exchanged for. A second time changes nothing.
     *
     * @throws ForbiddenException if the caller is no operator, and has no such token
     * @throws NotFoundException if there is no such token
     * @throws IllegalArgumentException if no operator would have a token
     */
    public void revoke(Caller caller, String tokenId) {
        Optional<RegisteredToken> token = database.read(connection -> TokenStore.find(connection, tokenId));
        if (!caller.operator() && !token.map(found -> isOwn(caller, found)).orElse(false)) {
            throw new ForbiddenException("User '%s' has no such token", caller.name());
        }
        if (token.isEmpty()) {
            throw new NotFoundException("There is no token '%s'", tokenId);
        }
        if (token.get().revoked().isPresent()) {
            return;
        }
        database.write(connection -> {
            TokenStore.revoke(connection, tokenId, revocations.begin(connection));
            requireOperator(connection);
            audit.changed(
                    connection,
                    caller,
                    "token-revoked",
                    tokenId,
                    "of user '%s'".formatted(token.get().user()));
            return null;
        });
        cached = Optional.empty();
    }

    /** A token for one tenant revokes itself only. */
    private static boolean isOwn(Caller caller, RegisteredToken token) {
        boolean limited = caller.token().flatMap(own -> own.scope()).isPresent();
        return token.user().equals(caller.name())
                && (!limited || token.id().equals(caller.token().orElseThrow().id()));
    }

    /** @throws IllegalArgumentException if no user could change the registry any more */
    void requireOperator(Connection connection) throws SQLException {
        if (!UserStore.hasOperatorWithToken(connection, clock.instant().getEpochSecond())) {
            throw new IllegalArgumentException(
                    "No user could change the registry any more: first create another operator with a token");
        }
    }

    /**
     * Forgets tokens that have ended, and what is too old in the audit.
     *
     * @param now the time by the earliest clock
     */
    public void forget(Instant now) {
        database.write(connection -> {
            TokenStore.forget(connection, now.minus(KEPT), now.minus(TokenRules.REPLAYED));
            audit.forget(connection);
            return null;
        });
    }
}
