package io.cordwood.catalog.server.identity;

import static java.util.Objects.requireNonNull;

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
import io.cordwood.identity.Audience;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.io.IOException;
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

    /** API keys of one user, with those that have ended but are still kept. */
    private static final long MAX_KEYS = 20_000;
    /**
     * Access tokens of one audience, of one API key or of one user of an OpenID provider, that have not ended or are
     * kept as revoked. So who exchanges in a loop, and revokes what it got, stops itself, and no other key of the user.
     */
    private static final long MAX_ACCESS_TOKENS = 2_000;
    /**
     * The same, of all keys of one user. Revoked tokens for records are kept for more than a year, in the rules that
     * every reader loads: new keys must not make them any number.
     */
    private static final long MAX_ACCESS_TOKENS_OF_USER = 20_000;

    private final Supplier<SigningKeys> keys;
    private final BootstrapToken bootstrap;
    private final Optional<OpenIdProvider> provider;
    private final Database database;
    private final Revocations revocations;
    private final TokenAuthenticator authenticator;
    private final Audit audit;
    private final InstantSource clock;

    /**
     * @param keys the keys of each time: they may be rotated
     * @param provider one whose tokens are exchanged
     */
    public TokenIssuer(
            Supplier<SigningKeys> keys,
            BootstrapToken bootstrap,
            Optional<OpenIdProvider> provider,
            Database database,
            Revocations revocations,
            TokenAuthenticator authenticator,
            Audit audit,
            InstantSource clock) {
        this.keys = keys;
        this.bootstrap = bootstrap;
        this.provider = provider;
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
            Instant from = revocations.begin(connection);
            if (UserStore.hasOperator(connection)) {
                throw new AlreadyExistsException("There is an operator already; the bootstrap token is used up");
            }
            Optional<User> before = UserStore.find(connection, userName);
            UserStore.put(connection, operator);
            revocations.ofChange(connection, before, operator, from);
            audit.changed(connection, userName, "bootstrap", userName, "made the first operator");
            return issue(connection, operator, TokenRequest.requests(Optional.empty(), Optional.of(Token.MAX_LIFE)));
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
            checkPurpose(request.audience(), user.service(), request.scope());
            if (request.scope().isPresent()) {
                checkScope(connection, user, request.scope().get());
            }
            IssuedToken issued = issue(connection, user, request);
            audit.changed(
                    connection,
                    caller,
                    "token-created",
                    issued.id(),
                    "for user '%s', %s%s, until %s"
                            .formatted(
                                    userName,
                                    request.audience() == Audience.RECORDS ? "for records, " : "",
                                    describe(request.scope()),
                                    issued.expires()));
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

    /** @throws IllegalArgumentException if no record would be good with the token */
    private static void checkPurpose(Audience audience, Optional<ServiceRole> service, Optional<Token.Scope> scope) {
        if (audience == Audience.RECORDS
                && !service.equals(Optional.of(ServiceRole.GATEWAY))
                && scope.filter(limit -> limit.role() == TenantRole.WRITER).isEmpty()) {
            throw new IllegalArgumentException(
                    "A token for records names one tenant and the role writer; only the gateway's is for all tenants");
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
            throw new IllegalArgumentException(
                    "Tenant '%s' is not registered: register it first, as with `bin/cordwood tenant set`"
                            .formatted(scope.tenant()));
        }
    }

    private IssuedToken issue(Connection connection, User user, TokenRequest request) throws SQLException {
        Duration life = request.life().orElse(KEY_LIFE);
        if (life.compareTo(Duration.ofSeconds(1)) < 0 || life.compareTo(Token.MAX_LIFE) > 0) {
            throw new IllegalArgumentException(
                    "A token is good for 1 second to %d days".formatted(Token.MAX_LIFE.toDays()));
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String id = UUID.randomUUID().toString();
        Token token = new Token(
                id,
                user.name(),
                request.audience(),
                now,
                now.plus(life),
                request.scope(),
                user.service(),
                Optional.empty());
        if (TokenStore.countKeys(connection, user.name()) >= MAX_KEYS) {
            throw new IllegalArgumentException(
                    "User '%s' has %d API keys: use those, or let some end".formatted(user.name(), MAX_KEYS));
        }
        return register(connection, token, id);
    }

    private IssuedToken registerAccess(Connection connection, Token token, String rootId) throws SQLException {
        Audience audience = token.audience();
        if (TokenStore.countAccess(connection, rootId, audience, token.issued()) >= MAX_ACCESS_TOKENS) {
            throw new IllegalArgumentException(
                    "%d tokens with the audience %s were exchanged, and are good or kept: use each until it ends"
                            .formatted(MAX_ACCESS_TOKENS, audience.label()));
        }
        if (TokenStore.countAccessOfUser(connection, token.user(), audience, token.issued())
                >= MAX_ACCESS_TOKENS_OF_USER) {
            throw new IllegalArgumentException(
                    "User '%s' has %d exchanged tokens with the audience %s: use each until it ends, and do not revoke it"
                            .formatted(token.user(), MAX_ACCESS_TOKENS_OF_USER, audience.label()));
        }
        return register(connection, token, rootId);
    }

    private IssuedToken register(Connection connection, Token token, String rootId) throws SQLException {
        TokenStore.put(connection, token, rootId);
        return new IssuedToken(token.id(), keys.get().sign(token), token.expires());
    }

    /**
     * What a token is exchanged for.
     *
     * @param audience what the new token is for
     * @param tenant the tenant of the records that it is for; empty: as the exchanged token
     * @param streams the only streams; empty: as the exchanged token
     */
    public record Purpose(Audience audience, Optional<String> tenant, Set<String> streams) {
        public Purpose {
            requireNonNull(audience, "audience is null");
            requireNonNull(tenant, "tenant is null");
            streams = Set.copyOf(streams);
        }
    }

    /**
     * Exchanges a token for a short one with the same permissions, or those for records alone. It is revoked with the
     * exchanged one and does not outlive the API key at the beginning of the line.
     *
     * @param userName the user that the token must be of; empty: any
     * @throws NotAuthorizedException if the token is not good
     * @throws IllegalArgumentException if the purpose is beyond what the token is good for
     */
    public IssuedToken exchange(Optional<String> userName, String compact, Purpose purpose) {
        Token subject = authenticator.caller(compact).token().orElseThrow();
        if (!userName.orElse(subject.user()).equals(subject.user())) {
            throw new NotAuthorizedException("The token is of another user");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return database.write(connection -> {
            revocations.begin(connection);
            // Read again: while this waited for its turn, a grant may have been taken away
            TokenStore.Bearer bearer = TokenStore.bearer(connection, subject.id())
                    .filter(found -> !found.revoked())
                    .orElseThrow(() -> new NotAuthorizedException("The token is revoked"));
            User user = Caller.of(bearer.user(), subject).user();
            Optional<Token.Scope> scope = scope(connection, user, subject, purpose);
            Instant last = TokenStore.find(connection, bearer.rootId())
                    .map(RegisteredToken::expires)
                    .orElse(subject.expires());
            Instant expires = now.plus(ACCESS_LIFE);
            Token token = new Token(
                    UUID.randomUUID().toString(),
                    subject.user(),
                    purpose.audience(),
                    now,
                    expires.isBefore(last) ? expires : last,
                    scope,
                    subject.service(),
                    Optional.of(subject.id()));
            return registerAccess(connection, token, bearer.rootId());
        });
    }

    /** Whether a text says that it is a token of the OpenID provider. */
    public boolean isExternal(String compact) {
        return provider.map(known -> known.names(compact)).orElse(false);
    }

    /**
     * Exchanges a token of the OpenID provider for a short one of its user here, who must be a registered person. The
     * provider's word is good for neither operators nor services: a name that someone could choose there must not be
     * worth the whole lake.
     *
     * @throws NotAuthorizedException if the token is not good, or stands for no such user
     * @throws IllegalArgumentException if the purpose is beyond what the user may do
     * @throws IOException if the provider does not answer
     */
    public IssuedToken exchangeExternal(String compact, Purpose purpose) throws IOException {
        OpenIdProvider known = provider.orElseThrow();
        String userName;
        try {
            userName = known.user(compact);
        } catch (InvalidTokenException e) {
            throw new NotAuthorizedException(e, "%s", e.getMessage());
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return database.write(connection -> {
            revocations.begin(connection);
            User user = UserStore.find(connection, userName)
                    .orElseThrow(() ->
                            new NotAuthorizedException("No user '%s' is registered: an operator adds it", userName));
            if (user.operator() || user.service().isPresent()) {
                throw new NotAuthorizedException(
                        "User '%s' is an operator or a service: these have API keys only", userName);
            }
            Token subject = new Token(
                    ExternalIds.ofToken(compact),
                    userName,
                    Audience.REQUESTS,
                    now,
                    now.plus(ACCESS_LIFE),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            Token token = new Token(
                    UUID.randomUUID().toString(),
                    userName,
                    purpose.audience(),
                    now,
                    subject.expires(),
                    scope(connection, user, subject, purpose),
                    Optional.empty(),
                    Optional.of(subject.id()));
            return registerAccess(connection, token, ExternalIds.ofUser(userName));
        });
    }

    /** The limits of the token that another one is exchanged for. */
    private static Optional<Token.Scope> scope(Connection connection, User user, Token subject, Purpose purpose)
            throws SQLException {
        purpose.streams().forEach(StreamNames::checked);
        Optional<Token.Scope> scope =
                purpose.audience() == Audience.RECORDS ? ofRecords(subject, purpose) : subject.scope();
        if (purpose.audience() == Audience.REQUESTS
                && (purpose.tenant().isPresent() || !purpose.streams().isEmpty())) {
            throw new IllegalArgumentException(
                    "tenant and stream go with the audience %s".formatted(Audience.RECORDS.label()));
        }
        checkPurpose(purpose.audience(), subject.service(), scope);
        if (subject.scope().isEmpty() && scope.isPresent()) {
            checkScope(connection, user, scope.get());
        }
        return scope;
    }

    private static Optional<Token.Scope> ofRecords(Token subject, Purpose purpose) {
        Optional<Token.Scope> limit = subject.scope();
        if (limit.isEmpty()) {
            return purpose.tenant().map(tenant -> new Token.Scope(tenant, TenantRole.WRITER, purpose.streams()));
        }
        Token.Scope allowed = limit.get();
        boolean within = purpose.tenant().orElse(allowed.tenant()).equals(allowed.tenant())
                && (allowed.streams().isEmpty() || allowed.streams().containsAll(purpose.streams()));
        if (!within) {
            throw new IllegalArgumentException("The token is limited to %s".formatted(describe(limit)));
        }
        return Optional.of(new Token.Scope(
                allowed.tenant(), allowed.role(), purpose.streams().isEmpty() ? allowed.streams() : purpose.streams()));
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
