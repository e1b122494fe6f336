package io.cordwood.catalog.server;

import io.cordwood.catalog.server.http.Authenticator;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.identity.Audit;
import io.cordwood.catalog.server.identity.BootstrapToken;
import io.cordwood.catalog.server.identity.Revocations;
import io.cordwood.catalog.server.identity.TokenAuthenticator;
import io.cordwood.catalog.server.identity.TokenIssuer;
import io.cordwood.catalog.server.identity.TokenRegistry;
import io.cordwood.catalog.server.identity.Users;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.RevocationClock;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.SigningKeyFile;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authentication and the users of the service, with their housekeeping. Thread-safe. */
final class Identity implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Identity.class);
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(10);
    private static final Duration FORGET_INTERVAL = Duration.ofHours(1);

    private final Authenticator authenticator;
    private final Revocations revocations;
    private final Audit audit;
    private final Optional<TokenRegistry> tokens;
    private final List<Route> routes;
    private final ScheduledExecutorService housekeeping = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("identity").daemon().factory());

    private Identity(
            Authenticator authenticator,
            Revocations revocations,
            Audit audit,
            Optional<TokenRegistry> tokens,
            List<Route> routes) {
        this.authenticator = authenticator;
        this.revocations = revocations;
        this.audit = audit;
        this.tokens = tokens;
        this.routes = routes;
    }

    /**
     * Reads the files of authentication, if it is on.
     *
     * @param wall the service's clock
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if a file does not hold what it should
     */
    static Identity open(CatalogServerOptions options, Database database, InstantSource wall) throws IOException {
        Revocations revocations = new Revocations(new RevocationClock(database, wall));
        Audit audit = new Audit(database, wall);
        if (options.authentication().isEmpty()) {
            Users users = new Users(database, revocations, audit, Optional.empty());
            List<Route> open = new ArrayList<>(new UserRoutes(users, audit).routes());
            open.addAll(TokenRoutes.withoutAuthentication());
            return new Identity(Authenticator.OPEN, revocations, audit, Optional.empty(), open);
        }
        CatalogServerOptions.Authentication files = options.authentication().get();
        SigningKeyFile keys = new SigningKeyFile(files.signingKeys());
        Supplier<PublicKeys> publicKeys = () -> keys.get().publicKeys();
        BootstrapToken bootstrap = BootstrapToken.read(files.bootstrapToken());
        Optional<OpenIdProvider> provider = files.issuer().map(settings -> new OpenIdProvider(settings, wall));
        TokenAuthenticator authenticator = new TokenAuthenticator(publicKeys, provider, database, wall);
        TokenRegistry tokens = new TokenRegistry(publicKeys, database, revocations, audit, wall);
        TokenIssuer issuer =
                new TokenIssuer(keys, bootstrap, provider, database, revocations, authenticator, audit, wall);
        Users users = new Users(database, revocations, audit, Optional.of(tokens));
        List<Route> routes = new ArrayList<>(new UserRoutes(users, audit).routes());
        routes.addAll(new TokenRoutes(issuer, tokens, audit).routes());
        return new Identity(authenticator, revocations, audit, Optional.of(tokens), routes);
    }

    /** Begins to store refusals, and to forget what is too old by this clock. */
    void start(InstantSource clock) {
        repeat(audit::flush, FLUSH_INTERVAL);
        tokens.ifPresent(registry -> repeat(() -> registry.forget(clock.instant()), FORGET_INTERVAL));
    }

    private void repeat(Runnable task, Duration interval) {
        ScheduledFuture<?> unused = housekeeping.scheduleWithFixedDelay(
                () -> run(task), FLUSH_INTERVAL.toSeconds(), interval.toSeconds(), TimeUnit.SECONDS);
    }

    /** A failure is one of the database, and the next time may succeed. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("Housekeeping of users and tokens failed", e);
        }
    }

    /** Whether callers need tokens. */
    boolean isOn() {
        return tokens.isPresent();
    }

    Authenticator authenticator() {
        return authenticator;
    }

    Revocations revocations() {
        return revocations;
    }

    Audit audit() {
        return audit;
    }

    List<Route> routes() {
        return routes;
    }

    @Override
    public void close() {
        housekeeping.shutdownNow();
        run(audit::flush);
    }
}
