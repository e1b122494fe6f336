package io.cordwood.standalone.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import io.cordwood.identity.Audience;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.Token;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.ClientProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of a rotation's steps, and that it can be interrupted between any two. */
final class RotationTest {
    private static final String REDIS = "127.0.0.1:6379";

    @TempDir
    private Path directory;

    private Secrets secrets;
    private Services services;

    @BeforeEach
    void prepare() throws Exception {
        secrets = new Secrets(directory.resolve("secrets"));
        secrets.prepare(REDIS);
        services = new Services();
        for (String user : List.of("operator", "ingest", "query")) {
            Files.writeString(secrets.token(user), services.createToken(user));
        }
        services.calls.clear();
    }

    /** What the services of a stack know, with a limit of calls after which they are gone. */
    private final class Services implements Servers {
        private final List<String> calls = new ArrayList<>();
        private final Map<String, Token> issued = new HashMap<>();
        private final Set<String> revoked = new HashSet<>();
        private final Map<Account, String> kafka = new HashMap<>();
        private final Map<Account, List<String>> redis = new HashMap<>();
        private int left = Integer.MAX_VALUE;

        private void called(String call) throws IOException {
            if (left == 0) {
                throw new IOException("the command was ended before " + call);
            }
            left--;
            calls.add(call);
        }

        @Override
        public String createToken(String user) throws IOException {
            called("token of " + user);
            Token token = new Token(
                    "id-" + issued.size(),
                    user,
                    Audience.REQUESTS,
                    Instant.now(),
                    Instant.now().plusSeconds(86_400L * 365),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            issued.put(token.id(), token);
            return SigningKeys.read(secrets.signingKeys()).sign(token);
        }

        @Override
        public void revokeToken(String id) throws IOException {
            called("revoke " + id);
            revoked.add(id);
        }

        @Override
        public List<String> readersAtStart(String user) {
            return user.equals("query") ? List.of("trino") : List.of();
        }

        @Override
        public void setKafkaPassword(Account account, String password) throws IOException {
            called("kafka password of " + account);
            kafka.put(account, password);
        }

        @Override
        public void awaitKafkaLogin(Account account) throws IOException {
            called("kafka login of " + account);
            assertThat(secrets.kafkaPassword(account)).isEqualTo(kafka.get(account));
        }

        @Override
        public void setRedisPasswords(Account account, List<String> passwords) throws IOException {
            called("%d redis passwords of %s".formatted(passwords.size(), account));
            redis.put(account, passwords);
        }

        @Override
        public void closeRedisConnections(Account account) throws IOException {
            called("close redis connections of " + account);
        }

        @Override
        public void useCertificate(String service) throws IOException {
            called("certificate of " + service);
            assertThat(isTrusted(service)).as("the authority of %s", service).isTrue();
        }

        @Override
        public void restart(String service) throws IOException {
            called("restart " + service);
        }

        @Override
        public void pause(Duration time) throws InterruptedException {
            try {
                called("pause");
            } catch (IOException e) {
                throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
            }
        }
    }

    private boolean isTrusted(String service) throws IOException {
        try {
            KeyStore trusted = PemFiles.trustStore(secrets.authorities());
            for (String alias : Collections.list(trusted.aliases())) {
                if (trusted.getCertificate(alias)
                        .getPublicKey()
                        .equals(Authority.read(secrets.authorityKey())
                                .certificate()
                                .getPublicKey())) {
                    secrets.certificateOf(service)
                            .verify(trusted.getCertificate(alias).getPublicKey());
                    return true;
                }
            }
            return false;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private Rotation rotation() {
        return new Rotation(secrets, REDIS, services, line -> {});
    }

    private static SecretName name(String text) {
        return SecretName.all().stream()
                .filter(name -> name.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }

    private String content(String file) throws IOException {
        return Files.readString(secrets.directory().resolve(file));
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.list(secrets.directory())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(file -> file.endsWith(".next") || file.endsWith(".old") || file.endsWith(".tmp"));
        }
    }

    @Test
    void aTokenIsRevokedOnceItsSuccessorIsInUse() throws Exception {
        rotation().rotate(name("ingest.token"));

        assertThat(services.calls).containsExactly("token of ingest", "pause", "revoke id-1");
        assertThat(keys().verify(content("ingest.token").strip(), Audience.REQUESTS)
                        .id())
                .isEqualTo("id-3");
        assertNothingIsLeft();
    }

    private PublicKeys keys() throws IOException {
        return SigningKeys.read(secrets.signingKeys()).publicKeys();
    }

    @Test
    void aNewSigningKeyIsKnownBeforeItSigns() throws Exception {
        String before = content("signing-keys.json");
        List<String> atPause = new ArrayList<>();
        Servers watching = new WatchedPause(services, () -> atPause.add(content("signing-keys.json")));
        new Rotation(secrets, REDIS, watching, line -> {}).rotate(name("signing-keys"));

        PublicKeys old = SigningKeys.read(Files.writeString(directory.resolve("old"), before))
                .publicKeys();
        SigningKeys during = SigningKeys.read(Files.writeString(directory.resolve("during"), atPause.getFirst()));
        SigningKeys after = SigningKeys.read(secrets.signingKeys());
        Token token = services.issued.get("id-1");
        assertThat(old.verify(during.sign(token), Audience.REQUESTS))
                .as("the old key still signs")
                .isEqualTo(keys().verify(during.sign(token), Audience.REQUESTS));
        assertThat(during.publicKeys()
                        .verify(after.sign(token), Audience.REQUESTS)
                        .id())
                .as("the new one is known")
                .isEqualTo("id-1");
        assertThatThrownBy(() -> old.verify(after.sign(token), Audience.REQUESTS))
                .as("the new one signs")
                .isNotNull();
        assertThat(after.publicKeys()
                        .verify(content("ingest.token").strip(), Audience.REQUESTS)
                        .id())
                .as("earlier tokens stay good")
                .isEqualTo("id-1");
        assertNothingIsLeft();
    }

    /** An interrupted rotation may be completed after weeks. The old key has signed in that time. */
    @Test
    void aSigningKeyEndsByTheTimeWhenTheNewOneBeginsToSign() throws Exception {
        Servers dying = new WatchedPause(services, () -> {
            throw new IOException("the command was ended");
        });
        assertThatThrownBy(() -> new Rotation(secrets, REDIS, dying, line -> {}).rotate(name("signing-keys")))
                .isInstanceOf(CordwoodException.class);
        assertThat(SecretState.of(secrets, name("signing-keys")).rotating()).isTrue();
        assertThat(content("signing-keys.json")).doesNotContain("\"exp\"");
        assertThat(content("signing-keys.json.next")).doesNotContain("\"exp\"");

        Instant resumed = Instant.now();
        rotation().rotate(name("signing-keys"));

        assertThat(end(oldKey())).isAfter(resumed.plus(Token.MAX_LIFE));
        assertNothingIsLeft();
    }

    /** The new keys are in their place, and the file beside them is not deleted yet. */
    @Test
    void aRotationOfSigningKeysThatIsInterruptedAtItsEndIsCompleted() throws Exception {
        List<String> next = new ArrayList<>();
        Servers watching = new WatchedPause(services, () -> next.add(content("signing-keys.json.next")));
        new Rotation(secrets, REDIS, watching, line -> {}).rotate(name("signing-keys"));
        String signed = SigningKeys.read(secrets.signingKeys()).sign(services.issued.get("id-1"));
        String replaced = content("signing-keys.json");
        Files.writeString(Secrets.next(secrets.signingKeys()), next.getFirst());
        services.calls.clear();

        rotation().rotate(name("signing-keys"));

        assertThat(services.calls).as("the old key does not sign again").isEmpty();
        assertThat(content("signing-keys.json")).isEqualTo(replaced);
        assertThat(keys().verify(signed, Audience.REQUESTS).id()).isEqualTo("id-1");
        assertThat(keys().verify(content("ingest.token").strip(), Audience.REQUESTS)
                        .id())
                .isEqualTo("id-1");
        assertThat(content("signing-keys.json").split("\"kid\"", -1)).hasSize(3);
        assertNothingIsLeft();
    }

    private JWK oldKey() throws Exception {
        return JWKSet.parse(content("signing-keys.json")).getKeys().getLast();
    }

    private static Instant end(JWK key) {
        return key.getExpirationTime().toInstant();
    }

    @Test
    void clientsFindANewPasswordOfKafkaAtOnce() throws Exception {
        String before = secrets.kafkaPassword(Account.INGEST);
        rotation().rotate(name("ingest.kafka.password"));

        assertThat(services.calls).containsExactly("kafka password of INGEST", "kafka login of INGEST");
        assertThat(secrets.kafkaPassword(Account.INGEST)).isNotEqualTo(before);
        assertThat(content("ingest.kafka.properties")).contains(secrets.kafkaPassword(Account.INGEST));
        assertNothingIsLeft();
    }

    @Test
    void redisTakesBothPasswordsUntilTheReaderHasTheNewOne() throws Exception {
        String before = secrets.redisPassword(Account.INGEST);
        rotation().rotate(name("ingest.redis.password"));

        assertThat(services.calls)
                .containsExactly(
                        "2 redis passwords of INGEST",
                        "restart flink",
                        "1 redis passwords of INGEST",
                        "close redis connections of INGEST");
        assertThat(services.redis.get(Account.INGEST))
                .containsExactly(secrets.redisPassword(Account.INGEST))
                .doesNotContain(before);
        assertThat(content("ingest.redis.url")).contains(secrets.redisPassword(Account.INGEST));
        assertNothingIsLeft();
    }

    @Test
    void allWhoReadAPasswordAtTheirStartAreStartedBeforeTheOldOneEnds() throws Exception {
        rotation().rotate(name("query.redis.password"));

        assertThat(services.calls)
                .containsExactly(
                        "2 redis passwords of QUERY",
                        "restart trino",
                        "restart search",
                        "1 redis passwords of QUERY",
                        "close redis connections of QUERY");
    }

    @Test
    void whoSharesASecretStartsWithANewOne() throws Exception {
        String cursors = content("search.cursor-key");
        rotation().rotate(name("search.cursor-key"));
        assertThat(services.calls).containsExactly("restart search");
        assertThat(content("search.cursor-key")).isNotBlank().isNotEqualTo(cursors);

        services.calls.clear();
        String nodes = content("trino.shared-secret");
        rotation().rotate(name("trino.shared-secret"));
        assertThat(services.calls).containsExactly("restart trino");
        assertThat(content("trino.shared-secret")).isNotBlank().isNotEqualTo(nodes);
    }

    @Test
    void nobodyHasACertificateThatOthersDoNotTrust() throws Exception {
        String before = content("ca.pem");
        String trino = content("trino.pem");
        rotation().rotate(name("ca"));

        assertThat(services.calls)
                .containsExactly(
                        "pause",
                        "certificate of kafka",
                        "certificate of redis",
                        "certificate of catalog",
                        "certificate of trino-worker",
                        "certificate of operator",
                        "restart trino",
                        "restart search",
                        "restart gateway",
                        "restart balancer",
                        "restart flink",
                        "restart compaction");
        assertThat(content("ca.pem")).isNotEqualTo(before).containsOnlyOnce("BEGIN CERTIFICATE");
        assertThat(content("trino.pem")).isNotEqualTo(trino);
        for (String service : Secrets.CERTIFIED) {
            assertThat(isTrusted(service)).as(service).isTrue();
        }
        assertNothingIsLeft();
    }

    @Test
    void clientsOfAnyProgramFindTheNewAuthorityInTheirProperties() throws Exception {
        rotation().announceAuthority();
        assertThat(trustOfProducers())
                .isEqualTo(content("ca.pem").strip())
                .contains("END CERTIFICATE-----\n-----BEGIN");

        rotation().rotate(name("ca"));
        assertThat(trustOfProducers()).isEqualTo(content("ca.pem").strip());
    }

    private String trustOfProducers() {
        return ClientProperties.load(secrets.kafkaProperties(Account.PRODUCER))
                .getProperty("ssl.truststore.certificates");
    }

    @Test
    void aNewCertificateNamesTheHostsOfTheOneItReplaces() throws Exception {
        secrets.prepare(Map.of("trino", Set.of("logs.example.com")));
        for (String secret : List.of("trino.pem", "ca")) {
            String before = content("trino.pem");
            rotation().rotate(name(secret));
            assertThat(content("trino.pem")).as(secret).isNotEqualTo(before);
            assertThat(Authority.hosts(secrets.certificate("trino")))
                    .as(secret)
                    .contains("logs.example.com", "localhost", "127.0.0.1");
        }
    }

    @Test
    void anAnnouncedAuthorityIssuesNothingYet() throws Exception {
        String kafka = content("kafka.pem");
        String key = content("ca-key.pem");
        rotation().announceAuthority();
        String announced = content("ca.pem");
        rotation().announceAuthority();

        assertThat(announced.split("BEGIN CERTIFICATE", -1)).hasSize(3);
        assertThat(content("ca.pem")).isEqualTo(announced);
        assertThat(content("kafka.pem")).isEqualTo(kafka);
        assertThat(content("ca-key.pem")).isEqualTo(key);
        assertThat(SecretState.of(secrets, name("ca")).rotating()).isTrue();

        rotation().rotate(name("ca"));
        assertThat(announced).endsWith(content("ca.pem"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ingest.token",
                "operator.token",
                "query.token",
                "signing-keys",
                "ingest.kafka.password",
                "admin.kafka.password",
                "query.redis.password",
                "producer.redis.password",
                "kafka.pem",
                "flink.pem",
                "ca",
                "trino.shared-secret",
                "search.cursor-key"
            })
    void aRotationThatIsInterruptedAnywhereIsCompletedByRunningItAgain(String secret) throws Exception {
        for (boolean startedAgain : List.of(false, true)) {
            boolean interrupted = true;
            for (int calls = 0; interrupted; calls++) {
                interrupted = isInterrupted(secret, calls);
                if (startedAgain) {
                    secrets.prepare(REDIS);
                }
                if (interrupted && calls > 0) {
                    assertThat(SecretState.of(secrets, name(secret)).rotating())
                            .as("%s after %d calls", secret, calls)
                            .isTrue();
                }
                if (interrupted) {
                    rotation().rotate(name(secret));
                }
                assertNothingIsLeft();
                assertEveryoneIsLetIn();
            }
        }
    }

    private boolean isInterrupted(String secret, int calls) {
        services.left = calls;
        try {
            rotation().rotate(name(secret));
            return false;
        } catch (CordwoodException e) {
            assertThat(e).hasMessageContaining("bin/cordwood secret rotate " + secret + "` again");
            return true;
        } catch (InterruptedException e) {
            return true;
        } finally {
            services.left = Integer.MAX_VALUE;
        }
    }

    private void assertEveryoneIsLetIn() throws Exception {
        for (String user : List.of("operator", "ingest", "query")) {
            assertThat(services.revoked)
                    .doesNotContain(keys().verify(content(user + ".token").strip(), Audience.REQUESTS)
                            .id());
        }
        services.kafka.forEach(
                (account, password) -> assertThat(password).isEqualTo(quietly(() -> secrets.kafkaPassword(account))));
        services.redis.forEach((account, passwords) ->
                assertThat(passwords).containsExactly(quietly(() -> secrets.redisPassword(account))));
        for (String service : Secrets.CERTIFIED) {
            assertThat(isTrusted(service)).as(service).isTrue();
        }
    }

    /** A text from a file. */
    @FunctionalInterface
    private interface Text {
        String read() throws IOException;
    }

    private static String quietly(Text text) {
        try {
            return text.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void tokensThatWereReplacedAreRevokedEvenAfterAnInterruption() throws Exception {
        assertThat(isInterrupted("ingest.token", 1)).isTrue();
        assertThat(SecretState.of(secrets, name("ingest.token")).rotating()).isTrue();

        rotation().rotate(name("ingest.token"));

        assertThat(services.revoked).containsExactly("id-1");
        assertThat(services.issued).as("no third token is made").hasSize(4);
    }

    @Test
    void whileAPasswordIsReplacedRedisIsStartedWithBoth() throws Exception {
        String before = secrets.redisPassword(Account.QUERY);
        for (int calls : List.of(0, 1, 1)) {
            assertThat(isInterrupted("query.redis.password", calls)).isTrue();
            assertThat(secrets.redisPasswords(Account.QUERY))
                    .hasSize(2)
                    .contains(before, secrets.redisPassword(Account.QUERY));
        }
        rotation().rotate(name("query.redis.password"));
        assertThat(secrets.redisPasswords(Account.QUERY)).containsExactly(secrets.redisPassword(Account.QUERY));
    }

    @Test
    void whoReadsATokenAtStartIsStartedBeforeTheOldOneEnds() throws Exception {
        rotation().rotate(name("query.token"));

        assertThat(services.calls).containsExactly("token of query", "pause", "restart trino", "revoke id-2");
    }

    @Test
    void anAuthorityThatIsHalfReplacedIsNotAnnounced() throws Exception {
        assertThat(isInterrupted("ca", 2)).isTrue();

        assertThatThrownBy(() -> rotation().announceAuthority())
                .isInstanceOf(CordwoodException.class)
                .hasMessageContaining("half done; run `bin/cordwood secret rotate ca`");
    }

    @Test
    void filesThatWereNotWrittenToTheirEndAreRemoved() throws Exception {
        Files.writeString(secrets.directory().resolve("ca-key.pem.next.123.tmp"), "a part of a key");
        secrets.prepare(REDIS);
        assertNothingIsLeft();
    }

    @Test
    void anAuthorityWhoseCertificateWasNotWrittenIsTrusted() throws Exception {
        Files.delete(secrets.authorities());
        secrets.prepare(REDIS);

        assertThat(isTrusted("kafka")).isTrue();
    }

    @Test
    void everySecretHasAStateWithoutTheSecret() throws Exception {
        for (String user : List.of("compactor", "search", "gateway", "balancer")) {
            Files.writeString(secrets.token(user), services.createToken(user));
        }
        for (SecretName name : SecretName.all()) {
            SecretState state = SecretState.of(secrets, name);
            assertThat(state.issued())
                    .as(name.toString())
                    .isBefore(Instant.now().plusSeconds(1));
            assertThat(state.rotating()).isFalse();
            assertThat(state.expires().isPresent())
                    .as(name.toString())
                    .isEqualTo(Set.of(SecretName.Kind.TOKEN, SecretName.Kind.CERTIFICATE, SecretName.Kind.AUTHORITY)
                            .contains(name.kind()));
        }
    }
}
