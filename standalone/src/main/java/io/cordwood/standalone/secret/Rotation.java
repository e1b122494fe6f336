package io.cordwood.standalone.secret;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.Token;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.AtomicFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Replaces secrets of a running stack, so that each service has at every time a secret that the others accept. What a
 * rotation has begun is in files: {@code NAME.next} replaces {@code NAME}, and {@code NAME.old} was replaced. So one
 * that was interrupted anywhere is completed by running it again, and the stack may be restarted in between. For one
 * caller at a time.
 */
public final class Rotation {
    /** Until all services have read a file that they read at intervals, and their requests under way have ended. */
    static final Duration TAKE_OVER = Duration.ofSeconds(10);

    /** The services that read the password of an account in Redis when they start. */
    private static final Map<Account, List<String>> REDIS_READERS = Map.of(
            Account.INGEST, List.of("flink"),
            Account.QUERY, List.of("trino", "search"),
            Account.GATEWAY, List.of("gateway"),
            Account.BALANCER, List.of("balancer"));

    private final Secrets secrets;
    private final String redis;
    private final Servers servers;
    private final Consumer<String> progress;

    /**
     * @param redis {@code host:port}
     * @param progress receives a line for each secret that is replaced, and for each step that takes long
     */
    public Rotation(Secrets secrets, String redis, Servers servers, Consumer<String> progress) {
        this.secrets = requireNonNull(secrets, "secrets is null");
        this.redis = requireNonNull(redis, "redis is null");
        this.servers = requireNonNull(servers, "servers is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /**
     * Replaces a secret, or completes a rotation that was interrupted.
     *
     * @throws CordwoodException if it cannot be completed now
     */
    public void rotate(SecretName name) throws InterruptedException {
        try {
            secrets.removeUnfinished();
            switch (name.kind()) {
                case TOKEN -> token(name.subject());
                case SIGNING_KEYS -> signingKeys();
                case KAFKA_PASSWORD -> kafkaPassword(name.account());
                case REDIS_PASSWORD -> redisPassword(name.account());
                case CERTIFICATE -> certificate(name.subject());
                case AUTHORITY -> new AuthorityRotation(secrets, servers, progress).rotate();
                case SHARED_SECRET -> sharedSecret(secrets.sharedSecretFile(), "trino");
                case CURSOR_KEY -> sharedSecret(secrets.cursorKey(), "search");
            }
            progress.accept(name + " is replaced");
        } catch (IOException | UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            throw new CordwoodException(
                    "%s is not replaced yet: %s; run `bin/cordwood secret rotate %s` again"
                            .formatted(name, Errors.text(e), name),
                    e);
        }
    }

    /**
     * Lets everybody trust an authority that is new, besides the one that is in use. {@link #rotate} goes on from here.
     *
     * @throws CordwoodException if it cannot be done now
     */
    public void announceAuthority() throws InterruptedException {
        try {
            new AuthorityRotation(secrets, servers, progress).announce();
        } catch (IOException | UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
            throw new CordwoodException("the new authority is not announced: " + Errors.text(e), e);
        }
    }

    private void token(String user) throws IOException, InterruptedException {
        Path file = secrets.token(user);
        Path old = old(file);
        // The operator has a name of its own, a service that of its file
        if (stage(
                file,
                () -> servers.createToken(secrets.claims(file).map(Token::user).orElse(user)))) {
            replace(file, Secrets.next(file));
        }
        servers.pause(TAKE_OVER);
        for (String reader : servers.readersAtStart(user)) {
            restart(reader);
        }
        Optional<Token> replaced = secrets.claims(old);
        if (replaced.isPresent()) {
            servers.revokeToken(replaced.get().id());
        }
        Files.delete(old);
    }

    /** Makes a secret. */
    @FunctionalInterface
    private interface NewSecret {
        String make() throws IOException;
    }

    /**
     * Writes what replaces a file, and what it replaces, beside it, as far as an earlier call did not.
     *
     * @return whether the file is still to be replaced; false: an earlier call has done that
     */
    private static boolean stage(Path file, NewSecret secret) throws IOException {
        Path next = Secrets.next(file);
        Path old = old(file);
        if (!Files.exists(next)) {
            if (Files.exists(old)) {
                return false;
            }
            AtomicFiles.write(next, secret.make() + "\n");
        }
        if (!Files.exists(old)) {
            AtomicFiles.write(old, Files.readString(file));
        }
        return true;
    }

    private void signingKeys() throws IOException, InterruptedException {
        Path file = secrets.signingKeys();
        Path next = Secrets.next(file);
        if (!Files.exists(next)) {
            AtomicFiles.write(next, SigningKeys.read(file).withNext().toJson() + "\n");
        } else if (SigningKeys.read(file).cameOf(SigningKeys.read(next))) {
            Files.delete(next);
            return;
        }
        // Who verifies must know the new key before the first token is signed with it
        AtomicFiles.write(file, Files.readString(next));
        servers.pause(TAKE_OVER);
        // The old one ends by the present time: after an interruption it may have signed for weeks
        AtomicFiles.write(file, SigningKeys.read(next).rotated(Instant.now()).toJson() + "\n");
        Files.delete(next);
    }

    private void kafkaPassword(Account account) throws IOException, InterruptedException {
        Path file = secrets.passwordFile(account, Server.KAFKA);
        Path next = Secrets.next(file);
        if (!Files.exists(next)) {
            AtomicFiles.write(next, Secrets.random() + "\n");
        }
        servers.setKafkaPassword(account, Secrets.read(next));
        // At once: who connects now reads the file
        secrets.adoptKafkaPassword(account);
        servers.awaitKafkaLogin(account);
        Files.delete(next);
    }

    private void redisPassword(Account account) throws IOException, InterruptedException {
        Path file = secrets.passwordFile(account, Server.REDIS);
        if (stage(file, Secrets::random)) {
            servers.setRedisPasswords(account, secrets.redisPasswords(account));
            replace(file, Secrets.next(file));
        }
        secrets.writeRedisUrl(account, redis);
        for (String reader : REDIS_READERS.getOrDefault(account, List.of())) {
            restart(reader);
        }
        servers.setRedisPasswords(account, List.of(secrets.redisPassword(account)));
        // Whoever had the old one may hold a connection open
        servers.closeRedisConnections(account);
        Files.delete(old(file));
    }

    private void restart(String service) throws IOException, InterruptedException {
        progress.accept(service + " starts again");
        servers.restart(service);
    }

    private void certificate(String service) throws IOException, InterruptedException {
        Path file = secrets.certificate(service);
        // There until the service has the new one, so that a rotation which was interrupted is seen
        AtomicFiles.write(old(file), Files.readString(file));
        Authority.read(secrets.authorityKey()).issue(service, Authority.hosts(file), file);
        servers.useCertificate(service);
        Files.delete(old(file));
    }

    /** Replaces a secret that the processes of one service share, and read when they start. */
    private void sharedSecret(Path file, String service) throws IOException, InterruptedException {
        AtomicFiles.write(old(file), Files.readString(file));
        AtomicFiles.write(file, Secrets.random() + "\n");
        restart(service);
        Files.delete(old(file));
    }

    static Path old(Path file) {
        return file.resolveSibling(file.getFileName() + ".old");
    }

    static void replace(Path file, Path next) throws IOException {
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
