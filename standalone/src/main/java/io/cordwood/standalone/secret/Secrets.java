package io.cordwood.standalone.secret;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.PemFiles;
import io.cordwood.identity.SigningKeys;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * The directory of a stack's secrets. Only its owner may read it (0700) and its files (0600). What is made once is kept
 * over restarts. Immutable.
 *
 * @param directory the directory, absolute
 */
public record Secrets(Path directory) {
    /** The services that prove themselves with a certificate. {@code operator} is the command line. */
    private static final List<String> CERTIFIED =
            List.of("kafka", "redis", "catalog", "trino", "flink", "compaction", "balancer", "operator");

    private static final String OPERATOR = "operator";
    private static final int PASSWORD_BYTES = 24;

    public Secrets {
        directory =
                requireNonNull(directory, "directory is null").toAbsolutePath().normalize();
    }

    /**
     * Makes what is missing, and certificates that soon expire anew.
     *
     * @param redis {@code host:port}
     * @throws CordwoodException if it cannot be written
     */
    public void prepare(String redis) {
        try {
            ownerOnly(Files.createDirectories(directory));
            Authority authority = Authority.open(authorities(), directory.resolve("ca-key.pem"));
            for (String service : CERTIFIED) {
                authority.renew(service, certificate(service));
            }
            TrustStore.write(authorities(), trustStore());
            once(signingKeys(), () -> SigningKeys.create().toJson());
            once(bootstrapToken(), Secrets::random);
            once(sharedSecretFile(), Secrets::random);
            for (Account account : Account.values()) {
                once(passwordFile(account, "kafka"), Secrets::random);
                once(passwordFile(account, "redis"), Secrets::random);
                AtomicFiles.write(kafkaProperties(account), kafkaClient(account));
                AtomicFiles.write(
                        redisUrl(account),
                        "rediss://%s:%s@%s".formatted(account.user(), password(account, "redis"), redis));
            }
        } catch (IOException e) {
            throw new CordwoodException("cannot make the secrets in %s: %s".formatted(directory, Errors.text(e)), e);
        }
    }

    /** Closes a directory to all but its owner. */
    public static void ownerOnly(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    private static void once(Path file, Supplier<String> content) {
        if (!Files.exists(file)) {
            AtomicFiles.write(file, content.get() + "\n");
        }
    }

    private static String random() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private String kafkaClient(Account account) throws IOException {
        return """
                security.protocol=SASL_SSL
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=%s
                ssl.truststore.type=PEM
                ssl.truststore.location=%s
                """.formatted(scram(account), authorities());
    }

    /** The login of an account, as Kafka's clients and brokers take it. It is secret. */
    public String scram(Account account) throws IOException {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                .formatted(account.user(), kafkaPassword(account));
    }

    private Path passwordFile(Account account, String server) {
        return directory.resolve("%s.%s.password".formatted(account.fileName(), server));
    }

    private String password(Account account, String server) throws IOException {
        return Files.readString(passwordFile(account, server)).strip();
    }

    /** The password of an account in Kafka. */
    public String kafkaPassword(Account account) throws IOException {
        return password(account, "kafka");
    }

    /** The password of an account in Redis. */
    public String redisPassword(Account account) throws IOException {
        return password(account, "redis");
    }

    /** The certificate of the authority that all services trust. */
    public Path authorities() {
        return directory.resolve("ca.pem");
    }

    /** TLS for the command line: it trusts the authority, and proves itself. */
    public SSLContext operatorTls() throws IOException {
        return PemFiles.mutual(certificate(OPERATOR), authorities());
    }

    /** The same authority beside those that Java knows, for {@code javax.net.ssl.trustStore}. */
    public Path trustStore() {
        return directory.resolve("truststore.jks");
    }

    /** The key and the certificate of a service. */
    public Path certificate(String service) {
        return directory.resolve(service + ".pem");
    }

    /** The catalog's token of a service user. */
    public Path token(String user) {
        return directory.resolve(user + ".token");
    }

    /** The token with which the command line acts. */
    public Path operatorToken() {
        return token(OPERATOR);
    }

    /** The token that makes the first operator. */
    public Path bootstrapToken() {
        return token("bootstrap");
    }

    /** The private keys that sign tokens. */
    public Path signingKeys() {
        return directory.resolve("signing-keys.json");
    }

    /** Properties of the Kafka client of an account. */
    public Path kafkaProperties(Account account) {
        return directory.resolve(account.fileName() + ".kafka.properties");
    }

    /** A file with the address of Redis for an account, its password included. */
    public Path redisUrl(Account account) {
        return directory.resolve(account.fileName() + ".redis.url");
    }

    private Path sharedSecretFile() {
        return directory.resolve("trino.shared-secret");
    }

    /** What the nodes of a Trino cluster prove themselves with to each other. */
    public String sharedSecret() throws IOException {
        return Files.readString(sharedSecretFile()).strip();
    }
}
