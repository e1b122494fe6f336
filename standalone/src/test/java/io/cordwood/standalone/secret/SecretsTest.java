package io.cordwood.standalone.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.identity.PemFiles;
import io.cordwood.identity.kafka.PasswordFileHandler;
import io.cordwood.identity.kafka.PemEngines;
import io.cordwood.standalone.home.ClientProperties;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretsTest {
    private static final String REDIS = "127.0.0.1:6379";

    @TempDir
    private Path directory;

    private Secrets secrets;

    @BeforeEach
    void prepare() {
        secrets = new Secrets(directory.resolve("secrets"));
        secrets.prepare(REDIS);
    }

    private Map<String, String> contents() throws Exception {
        Map<String, String> contents = new HashMap<>();
        try (Stream<Path> files = Files.list(secrets.directory())) {
            for (Path file :
                    files.filter(each -> !each.equals(secrets.trustStore())).toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return contents;
    }

    @Test
    void onlyTheirOwnerReadsThem() throws Exception {
        assertThat(mode(secrets.directory())).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(secrets.directory())) {
            assertThat(files)
                    .hasSizeGreaterThan(20)
                    .allSatisfy(
                            file -> assertThat(mode(file)).as(file.toString()).isEqualTo("rw-------"));
        }
    }

    @Test
    void thereIsNoLoginAtARedisThatCannotBeReached() throws Exception {
        assertThat(secrets.redisUrl(Account.PRODUCER, "")).isEmpty();
        assertThat(secrets.redisUrl(Account.PRODUCER, "rediss://localhost:6379"))
                .matches("rediss://cordwood-producer:[^@]+@localhost:6379");
    }

    private static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void areKeptOverRestarts() throws Exception {
        Map<String, String> before = contents();

        secrets.prepare(REDIS);

        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void removedOnesAreMadeAnew() throws Exception {
        Map<String, String> before = contents();
        List<String> removed = List.of("kafka.pem", "ingest.redis.password", "signing-keys.json");
        for (String name : removed) {
            Files.delete(secrets.directory().resolve(name));
        }

        secrets.prepare(REDIS);

        for (String name : removed) {
            assertThat(contents().get(name)).as(name).isNotBlank().isNotEqualTo(before.get(name));
        }
        assertThat(contents()).containsEntry("ca.pem", before.get("ca.pem"));
        assertThat(Files.readString(secrets.redisUrl(Account.INGEST)))
                .isEqualTo("rediss://cordwood-ingest:%s@%s", secrets.redisPassword(Account.INGEST), REDIS);
    }

    @Test
    void anotherAuthorityIssuesAllCertificatesAnew() throws Exception {
        Map<String, String> before = contents();
        Files.delete(secrets.directory().resolve("ca-key.pem"));

        secrets.prepare(REDIS);

        assertThat(contents().get("ca.pem")).isNotEqualTo(before.get("ca.pem"));
        assertThat(contents().get("trino.pem")).isNotEqualTo(before.get("trino.pem"));
        certificate("trino").verify(authority().getPublicKey());
    }

    @Test
    void servicesHaveCertificatesOfTheAuthorityForThisMachine() throws Exception {
        for (String service :
                List.of("kafka", "redis", "catalog", "trino", "search", "gateway", "flink", "compaction", "balancer")) {
            X509Certificate certificate = certificate(service);
            certificate.verify(authority().getPublicKey());
            certificate.checkValidity();
            assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + service);
            assertThat(certificate.getBasicConstraints())
                    .as("it is no authority")
                    .isEqualTo(-1);
            assertThat(certificate.getPublicKey().getAlgorithm()).isEqualTo("EC");
            assertThat(certificate.getSubjectAlternativeNames().toString())
                    .contains("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
        }
        assertThat(authority().getBasicConstraints()).isZero();
    }

    private X509Certificate certificate(String service) throws Exception {
        return (X509Certificate)
                PemFiles.keyAndCertificates(secrets.certificate(service)).getCertificate();
    }

    private X509Certificate authority() throws Exception {
        KeyStore store = PemFiles.trustStore(secrets.authorities());
        return (X509Certificate) store.getCertificate(store.aliases().nextElement());
    }

    @Test
    void kafkasClientsLogInEncrypted() throws Exception {
        assertThat(ClientProperties.load(secrets.kafkaProperties(Account.QUERY)))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                .containsEntry("sasl.jaas.config", secrets.scram(Account.QUERY));
        assertThat(secrets.scram(Account.QUERY))
                .contains("\"cordwood-query\"", '"' + secrets.kafkaPassword(Account.QUERY) + '"');
        assertThat(secrets.kafkaPassword(Account.QUERY)).isNotEqualTo(secrets.redisPassword(Account.QUERY));
    }

    @Test
    void kafkasClientsOfThisMachineReadTheirSecretsAgain() throws Exception {
        for (Properties properties : List.of(
                ClientProperties.load(secrets.kafkaProperties(Account.INGEST)),
                secrets.kafkaClient(Account.PRODUCER))) {
            assertThat(properties)
                    .containsEntry("ssl.engine.factory.class", PemEngines.class.getName())
                    .containsEntry("sasl.client.callback.handler.class", PasswordFileHandler.class.getName())
                    .containsEntry(
                            "ssl.truststore.location", secrets.authorities().toString());
            assertThat(properties.getProperty("sasl.jaas.config")).contains(PasswordFileHandler.FILE + "=\"");
        }
    }

    @Test
    void kafkasClientsElsewhereNeedNoFileAndNoClassOfOurs() throws Exception {
        Properties shipper = new Properties();
        shipper.load(new StringReader(secrets.kafkaClient("acme-shipper", "secret")));
        Secrets ofServices = new Secrets(directory.resolve("services"));
        ofServices.prepare(Map.of());
        assertNeedsNothingElse(shipper, secrets);
        assertNeedsNothingElse(ClientProperties.load(secrets.kafkaProperties(Account.PRODUCER)), secrets);
        assertNeedsNothingElse(ClientProperties.load(ofServices.kafkaProperties(Account.INGEST)), ofServices);
    }

    private void assertNeedsNothingElse(Properties client, Secrets lake) throws Exception {
        assertThat(client)
                .containsEntry(
                        "ssl.truststore.certificates",
                        Files.readString(lake.authorities()).strip());
        assertThat(client.toString()).doesNotContain("io.cordwood", PasswordFileHandler.FILE, directory.toString());
    }

    @Test
    void whoMayReadOnlyThePropertiesOfAClientHasThose() throws Exception {
        Files.delete(secrets.passwordFile(Account.PRODUCER, Server.KAFKA));
        assertThat(secrets.kafkaClient(Account.PRODUCER))
                .isEqualTo(ClientProperties.load(secrets.kafkaProperties(Account.PRODUCER)));
    }
}
