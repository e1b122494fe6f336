package io.cordwood.catalog.server.identity;

import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.server.store.TokenStore;
import io.cordwood.catalog.server.store.UserStore;
import io.cordwood.catalog.tenant.StreamNames;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.Token;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;

/** Issues tokens: API keys, and access tokens that they are exchanged for. Thread-safe. */
public final class TokenIssuer {
    static final Duration ACCESS_LIFE = Duration.ofHours(1);
    static final Duration KEY_LIFE = Duration.ofDays(30);
    static final Duration MAX_LIFE = Duration.ofDays(365);

    /** Of one user, with those that have ended but are still kept. */
    private static final long MAX_TOKENS = 20_000;

    private final Supplier<SigningKeys> keys;
    private final BootstrapToken bootstrap;
    private final Database database;
    private final Revocations revocations;
    private final TokenAuthenticator authenticator;
    private final Audit audit;
    private final InstantSource clock;

    /** @param keys the keys of each time: they may be rotated */
    public TokenIssuer(
            Supplier<SigningKeys> keys,
            BootstrapToken bootstrap,
            Database database,
            Revocations revocations,
            TokenAuthenticator authenticator,
            Audit audit,
            InstantSource clock) {
        this.keys = keys;
        this.bootstrap = bootstrap;
        this.database = database;
        this.revocations = revocations;
        this.authenticator = authenticator;
        this.audit = audit;
        this.clock = clock;
    }

    /** The public keys as a JWK set. */
    public String jwks() {
        return keys.get().publicKeys().toJson();
    }

    /**
     * Makes the first operator, and a token for it.
     *
     * @param name gives the operator's name, once the header is known to be right
     * @throws NotAuthorizedException if the header does not have the bootstrap token
     * @throws AlreadyExistsException if there is an operator
     */
    public IssuedToken bootstrap(Optional<String> authorization, Supplier<String> name) {
        bootstrap.check(TokenAuthenticator.compact(authorization));
        String userName = name.get();
        User operator = User.operator(userName);
        return database.write(connection -> {
            revocations.begin(connection);
            if (UserStore.hasOperator(connection)) {
                throw new AlreadyExistsException("There is an operator already; the bootstrap token is used up");
            }
            UserStore.put(connection, operator);
            audit.changed(connection, userName, "bootstrap", userName, "made the first operator");
            return issue(connection, operator, new TokenRequest(Optional.empty(), Optional.of(MAX_LIFE)));
        });
    }

    /**
     * Creates an API key.
     *
     * @throws ForbiddenException if the caller may not create it
     * @throws NotFoundException if there is no such user
     * @throws IllegalArgumentException if the request is beyond what the user may do
     */
    public IssuedToken create(Caller caller, String userName, TokenRequest request) {
        checkMayCreate(caller, userName);
        return database.write(connection -> {
            revocations.begin(connection);
            User user = UserStore.find(connection, userName)
                    .orElseThrow(() -> new NotFoundException("No user '%s' is registered", userName));
            if (request.scope().isPresent()) {
                checkScope(connection, user, request.scope().get());
            }
            IssuedToken issued = issue(connection, user, request);
            audit.changed(
                    connection,
                    caller,
                    "token-created",
                    issued.id(),
                    "for user '%s', %s, until %s".formatted(userName, describe(request.scope()), issued.expires()));
            return issued;
        });
    }

    private static void checkMayCreate(Caller caller, String userName) {
        if (!caller.operator() && !caller.name().equals(userName)) {
            throw new ForbiddenException("User '%s' may create tokens for itself only", caller.name());
        }
        Optional<Token> own = caller.token();
        if (own.flatMap(Token::parent).isPresent()) {
            throw new ForbiddenException("A token of the token endpoint creates no others: use the API key");
        }
        if (own.flatMap(Token::scope).isPresent()) {
            // It may have been copied from a shipper, and must not outlive its revocation
            throw new ForbiddenException(
                    "A token limited to one tenant creates no others: use a token without a limit");
        }
    }

    private static void checkScope(Connection connection, User user, Token.Scope scope) throws SQLException {
        scope.streams().forEach(StreamNames::checked);
        if (user.service().isPresent()) {
            throw new IllegalArgumentException(
                    "User '%s' is a service: its tokens are not for one tenant".formatted(user.name()));
        }
        if (!user.operator() && !user.has(scope.tenant(), scope.role())) {
            throw new IllegalArgumentException("User '%s' is no %s of tenant '%s': grant the role first"
                    .formatted(user.name(), scope.role().label(), scope.tenant()));
        }
        if (TenantStore.withSchema(connection, TenantNames.schemaName(scope.tenant()))
                .isEmpty()) {
            throw new IllegalArgumentException("Tenant '%s' is not registered".formatted(scope.tenant()));
        }
    }

    private IssuedToken issue(Connection connection, User user, TokenRequest request) throws SQLException {
        Duration life = request.life().orElse(KEY_LIFE);
        if (life.compareTo(Duration.ofSeconds(1)) < 0 || life.compareTo(MAX_LIFE) > 0) {
            throw new IllegalArgumentException("A token is good for 1 second to %d days".formatted(MAX_LIFE.toDays()));
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String id = UUID.randomUUID().toString();
        Token token =
                new Token(id, user.name(), now, now.plus(life), request.scope(), user.service(), Optional.empty());
        return register(connection, token, id);
    }

    private IssuedToken register(Connection connection, Token token, String rootId) throws SQLException {
        if (TokenStore.count(connection, token.user()) >= MAX_TOKENS) {
            throw new IllegalArgumentException(
                    "User '%s' has %d tokens: use those, or let some end".formatted(token.user(), MAX_TOKENS));
        }
        TokenStore.put(connection, token, rootId);
        return new IssuedToken(token.id(), keys.get().sign(token), token.expires());
    }

    /**
     * Exchanges a token for a short one with the same permissions, which is revoked with it and does not outlive the
     * API key at the beginning of the line.
     *
     * @param userName the user that the token must be of; empty: any
     * @throws NotAuthorizedException if the token is not good
     */
    public IssuedToken exchange(Optional<String> userName, String compact) {
        Caller caller = authenticator.caller(compact);
        Token subject = caller.token().orElseThrow();
        if (!userName.orElse(subject.user()).equals(subject.user())) {
            throw new NotAuthorizedException("The token is of another user");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return database.write(connection -> {
            revocations.begin(connection);
            if (TokenStore.bearer(connection, subject.id())
                    .map(TokenStore.Bearer::revoked)
                    .orElse(true)) {
                throw new NotAuthorizedException("The token is revoked");
            }
            Optional<RegisteredToken> root = TokenStore.root(connection, subject.id());
            Instant last = root.map(RegisteredToken::expires).orElse(subject.expires());
            Instant expires = now.plus(ACCESS_LIFE);
            Token token = new Token(
                    UUID.randomUUID().toString(),
                    subject.user(),
                    now,
                    expires.isBefore(last) ? expires : last,
                    subject.scope(),
                    subject.service(),
                    Optional.of(subject.id()));
            return register(connection, token, root.map(RegisteredToken::id).orElse(subject.id()));
        });
    }

    private static String describe(Optional<Token.Scope> scope) {
        return scope.map(limit -> "%s of tenant '%s'%s"
                        .formatted(
                                limit.role().label(),
                                limit.tenant(),
                                limit.streams().isEmpty() ? "" : ", streams " + sorted(limit.streams())))
                .orElse("for all that the user may do");
    }

    private static String sorted(Set<String> streams) {
        return String.join(", ", streams.stream().sorted().toList());
    }
}
