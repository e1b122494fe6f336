package io.cordwood.standalone.secret;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.Audience;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.Token;
import io.cordwood.identity.kafka.PasswordFileHandler;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.ClientProperties;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
    static final List<String> CERTIFIED = List.of(
            "kafka",
            "redis",
            "catalog",
            "trino",
            "trino-worker",
            "search",
            "gateway",
            "flink",
            "compaction",
            "balancer",
            "operator");

    /** As Java writes them, for they are compared with those in certificates. */
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");

    private static final String OPERATOR = "operator";
    private static final int PASSWORD_BYTES = 24;

    public Secrets {
        directory =
                requireNonNull(directory, "directory is null").toAbsolutePath().normalize();
    }

    /**
     * Makes what is missing for a stack on this machine, and certificates that soon expire anew.
     *
     * @param redis {@code host:port}
     * @throws CordwoodException if it cannot be written
     */
    public void prepare(String redis) {
        try {
            make(service -> thisMachine());
            for (Account account : Account.values()) {
                writeKafkaClient(account);
                writeRedisUrl(account, redis);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Makes what is missing for services that run one by one, and certificates anew that soon expire or do not name all
     * hosts.
     *
     * @param hosts under which names or addresses others reach a service, by its name; it is always reached as
     *     {@code localhost} and under its own name
     * @throws CordwoodException if it cannot be written
     */
    public void prepare(Map<String, Set<String>> hosts) {
        try {
            make(service -> {
                Set<String> names = new TreeSet<>(hosts.getOrDefault(service, Set.of()));
                names.addAll(LOOPBACK);
                names.add(service);
                return names;
            });
            for (Account account : Account.values()) {
                AtomicFiles.write(kafkaProperties(account), kafkaClient(account.user(), kafkaPassword(account)));
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private CordwoodException failed(IOException e) {
        return new CordwoodException("cannot make the secrets in %s: %s".formatted(directory, Errors.text(e)), e);
    }

    private void make(Function<String, Set<String>> hosts) throws IOException {
        ownerOnly(Files.createDirectories(directory));
        removeUnfinished();
        Authority authority = Authority.open(authorities(), authorityKey());
        for (String service : CERTIFIED) {
            authority.renew(service, hosts.apply(service), certificate(service));
        }
        TrustStore.write(authorities(), trustStore());
        once(signingKeys(), () -> SigningKeys.create().toJson());
        once(bootstrapToken(), Secrets::random);
        once(sharedSecretFile(), Secrets::random);
        once(cursorKey(), Secrets::random);
        for (Account account : Account.values()) {
            once(passwordFile(account, Server.KAFKA), Secrets::random);
            once(passwordFile(account, Server.REDIS), Secrets::random);
        }
    }

    /** Removes files that were not written to their end because their writer was killed. For one caller at a time. */
    void removeUnfinished() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + AtomicFiles.UNFINISHED)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Set<String> thisMachine() {
        Set<String> names = new TreeSet<>(LOOPBACK);
        try {
            names.add(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            // A machine without a name of its own is reached as localhost
        }
        return names;
    }

    /** Whether a certificate is made for a service of this name. */
    public static boolean isCertified(String service) {
        return CERTIFIED.contains(service);
    }

    /** Closes a directory to all but its owner. */
    public static void ownerOnly(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    private static void once(Path file, Supplier<String> content) {
        if (!Files.exists(file)) {
            // Without a line break, which not all who read passwords from files take away
            AtomicFiles.write(file, content.get());
        }
    }

    /** A new password. */
    public static String random() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Writes what the Kafka clients of an account read when they are made. */
    void writeKafkaClient(Account account) throws IOException {
        AtomicFiles.write(
                kafkaProperties(account),
                // Kafka's own tools and other programs, which use the other accounts, lack these classes
                account.isOfService() ? reloading(account) : kafkaClient(account.user(), kafkaPassword(account)));
    }

    /**
     * The properties of a client in a process with Cordwood's classes. It reads the password and the authority again at
     * each connection; if this user may read only the properties for any program, it has those.
     *
     * @throws CordwoodException if neither can be read
     */
    public Properties kafkaClient(Account account) {
        if (!Files.isReadable(passwordFile(account, Server.KAFKA))) {
            return ClientProperties.load(kafkaProperties(account));
        }
        try {
            Properties properties = new Properties();
            properties.load(new StringReader(reloading(account)));
            return properties;
        } catch (IOException e) {
            throw new CordwoodException(
                    "cannot read %s: %s".formatted(passwordFile(account, Server.KAFKA), Errors.text(e)), e);
        }
    }

    private String reloading(Account account) throws IOException {
        return client(scram(account), "location", authorities().toString()) + KafkaClasses.LINES;
    }

    /**
     * The properties of a Kafka client that logs in. They need no other file: a client takes them where it is.
     *
     * @param user the name
     * @param password its password
     */
    public String kafkaClient(String user, String password) throws IOException {
        return client(
                scram(user, password, ""),
                "certificates",
                Files.readString(authorities()).strip().replaceAll("\\R", "\\\\n"));
    }

    private static String client(String login, String trust, String authorities) {
        return """
                security.protocol=SASL_SSL
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=%s
                ssl.truststore.type=PEM
                ssl.truststore.%s=%s
                """.formatted(login, trust, authorities);
    }

    /** Writes the address of Redis with the password of an account, for clients; services write it when they start. */
    void writeRedisUrl(Account account, String redis) throws IOException {
        AtomicFiles.write(redisUrl(account), redisUrl(account, "rediss://" + redis));
    }

    /** The login of an account, as Kafka's clients and brokers take it. It is secret. */
    public String scram(Account account) throws IOException {
        return scram(
                account.user(),
                kafkaPassword(account),
                " %s=\"%s\"".formatted(PasswordFileHandler.FILE, passwordFile(account, Server.KAFKA)));
    }

    private static String scram(String user, String password, String more) {
        return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\"%s;"
                .formatted(user, password, more);
    }

    /** Where a password of an account is. */
    Path passwordFile(Account account, Server server) {
        return directory.resolve("%s.%s.password".formatted(account.fileName(), server.fileName()));
    }

    /** What replaces a file once a rotation is complete; exists only while one is under way. */
    static Path next(Path file) {
        return file.resolveSibling(file.getFileName() + ".next");
    }

    private String password(Account account, Server server) throws IOException {
        return read(passwordFile(account, server));
    }

    static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    /** The password of an account in Kafka. */
    public String kafkaPassword(Account account) throws IOException {
        return password(account, Server.KAFKA);
    }

    /** The password of an account in Redis. */
    public String redisPassword(Account account) throws IOException {
        return password(account, Server.REDIS);
    }

    /** The passwords with which Redis lets an account in: the only one, or while one replaces it both. */
    public List<String> redisPasswords(Account account) throws IOException {
        Path file = passwordFile(account, Server.REDIS);
        Set<String> passwords = new LinkedHashSet<>();
        for (Path one : List.of(file, next(file), Rotation.old(file))) {
            if (Files.exists(one)) {
                passwords.add(read(one));
            }
        }
        return List.copyOf(passwords);
    }

    /**
     * Takes the password that a rotation had begun to set in Kafka when it was interrupted: Kafka may have it already.
     *
     * @return whether there is one
     */
    public boolean adoptKafkaPassword(Account account) throws IOException {
        Path file = passwordFile(account, Server.KAFKA);
        if (!Files.exists(next(file))) {
            return false;
        }
        AtomicFiles.write(file, read(next(file)) + "\n");
        writeKafkaClient(account);
        return true;
    }

    /** Whether this user may read the password of an account in Redis. */
    public boolean mayRead(Account account) {
        return Files.isReadable(passwordFile(account, Server.REDIS));
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

    /** The certificate in a service's file. */
    public X509Certificate certificateOf(String service) throws IOException {
        return Authority.certificate(certificate(service));
    }

    /** The catalog's token of a service user. */
    public Path token(String user) {
        return directory.resolve(user + ".token");
    }

    /** The claims of the token in a file; empty if it is none that the signing keys of now verify. */
    Optional<Token> claims(Path tokenFile) throws IOException {
        try {
            return Optional.of(SigningKeys.read(signingKeys()).publicKeys().verify(read(tokenFile), Audience.REQUESTS));
        } catch (InvalidTokenException e) {
            return Optional.empty();
        }
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

    /** The key of the authority, with its certificate. */
    Path authorityKey() {
        return directory.resolve("ca-key.pem");
    }

    /**
     * The address of Redis for an account, its password included.
     *
     * @param redis the address without an account; empty if it cannot be reached, and so is what is returned
     */
    public String redisUrl(Account account, String redis) throws IOException {
        if (redis.isEmpty()) {
            return "";
        }
        URI address = URI.create(redis);
        return "rediss://%s:%s@%s%s"
                .formatted(account.user(), redisPassword(account), address.getRawAuthority(), address.getRawPath());
    }

    /** The JDBC URL of the catalog's database with its password, if the operator has put it here. */
    public Optional<String> catalogDatabase() {
        Path file = directory.resolve("catalog-db.url");
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s: %s".formatted(file, Errors.text(e)), e);
        }
    }

    /** Keys of the S3 store in the format of AWS's own tools, if the operator has put them here. */
    public Optional<Path> s3Credentials() {
        return Optional.of(directory.resolve("s3.credentials")).filter(Files::exists);
    }

    /** The users of Redis, in the format of its ACL files. */
    public Path redisUsers() {
        return directory.resolve("redis-users.acl");
    }

    Path sharedSecretFile() {
        return directory.resolve("trino.shared-secret");
    }

    /** A file with what search services encrypt cursors with, so that each takes those of the others. */
    public Path cursorKey() {
        return directory.resolve("search.cursor-key");
    }

    /** What the nodes of a Trino cluster prove themselves with to each other. */
    public String sharedSecret() throws IOException {
        return Files.readString(sharedSecretFile()).strip();
    }
}
