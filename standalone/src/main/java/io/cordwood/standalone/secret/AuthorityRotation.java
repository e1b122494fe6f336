package io.cordwood.standalone.secret;

import io.cordwood.standalone.home.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replaces the authority of a stack. First all who read the authorities again trust the new one besides the old one.
 * Then the services that read their certificates again get those of the new one. Then nobody is to trust the old one
 * any more. The others get their certificates, and start again, one by one, because they read authorities only when
 * they start: Trino as its own client, Flink, and the clients of Redis. They get them so late because until their start
 * they trust the old one only. For one caller at a time.
 */
final class AuthorityRotation {
    /** Those that are restarted. First those that people ask: rows wait in Kafka for the others. */
    private static final List<String> RESTARTED =
            List.of("trino", "search", "gateway", "balancer", "flink", "compaction");

    /** Those that take new certificates while they run, or have no process of this stack. */
    private static final List<String> RELOADING = Secrets.CERTIFIED.stream()
            .filter(service -> !RESTARTED.contains(service))
            .toList();

    private final Secrets secrets;
    private final Servers servers;
    private final Consumer<String> progress;
    private final Path next;
    /** The certificate of the authority that is replaced; it exists from the beginning to the end of a rotation. */
    private final Path old;

    AuthorityRotation(Secrets secrets, Servers servers, Consumer<String> progress) {
        this.secrets = secrets;
        this.servers = servers;
        this.progress = progress;
        next = Secrets.next(secrets.authorityKey());
        old = Rotation.old(secrets.authorities());
    }

    /** Lets everybody trust the new authority too. Nobody has a certificate of it yet. */
    void announce() throws IOException, InterruptedException {
        if (isReplaced()) {
            throw new IOException("a rotation of ca is half done; run `bin/cordwood secret rotate ca`");
        }
        Authority authority = Files.exists(next) ? Authority.read(next) : Authority.create(next);
        Authority present = Authority.read(secrets.authorityKey());
        if (!Files.exists(old)) {
            AtomicFiles.write(old, present.certificatePem());
        }
        trust(present.certificatePem() + authority.certificatePem());
        servers.pause(Rotation.TAKE_OVER);
    }

    /** Whether a rotation has come so far that the new authority is the only one that issues certificates. */
    private boolean isReplaced() {
        return Files.exists(old) && !Files.exists(next);
    }

    /** Replaces it, or goes on where an earlier call ended. */
    void rotate() throws IOException, InterruptedException {
        if (!isReplaced()) {
            announce();
            Rotation.replace(secrets.authorityKey(), next);
        }
        Authority authority = Authority.read(secrets.authorityKey());
        for (String service : RELOADING) {
            renew(authority, service);
            servers.useCertificate(service);
        }
        trust(authority.certificatePem());
        for (String service : RESTARTED) {
            renew(authority, service);
        }
        for (String service : RESTARTED) {
            progress.accept(service + " starts again");
            servers.restart(service);
        }
        Files.delete(old);
    }

    private void renew(Authority authority, String service) throws IOException {
        Path file = secrets.certificate(service);
        authority.renew(service, Authority.hosts(file), file);
    }

    private void trust(String certificates) throws IOException {
        AtomicFiles.write(secrets.authorities(), certificates);
        TrustStore.write(secrets.authorities(), secrets.trustStore());
        for (Account account : Account.values()) {
            // Those for any program have the authorities in them
            secrets.writeKafkaClient(account);
        }
    }
}
