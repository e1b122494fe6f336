package io.cordwood.identity.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.identity.Handshake;
import io.cordwood.identity.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker and a client of Kafka shake hands while their files are replaced. */
final class PemEnginesTest {
    private static final String HTTPS = "https";

    @TempDir
    private Path directory;

    private TestAuthority authority;
    private PemEngines broker;
    private PemEngines client;

    @BeforeEach
    void configure() throws Exception {
        authority = new TestAuthority("authority");
        put("broker.pem", authority.issue("broker").pem());
        put("client.pem", authority.issue("client").pem());
        put("broker-ca.pem", authority.pem());
        put("client-ca.pem", authority.pem());
        broker = engines("broker", Map.of("ssl.client.auth", "required"));
        client = engines("client", Map.of());
    }

    private void put(String name, String content) throws Exception {
        Path next = Files.writeString(directory.resolve("next"), content);
        Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private PemEngines engines(String name, Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(more);
        properties.put("ssl.keystore.location", directory.resolve(name + ".pem").toString());
        return configured(name, properties);
    }

    private PemEngines configured(String name, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("ssl.truststore.location", directory.resolve(name + "-ca.pem").toString());
        PemEngines engines = new PemEngines();
        engines.configure(all);
        return engines;
    }

    private SSLEngine ofClient() {
        return client.createClientSslEngine("localhost", 9092, HTTPS);
    }

    private SSLEngine ofBroker() {
        return broker.createServerSslEngine("127.0.0.1", 50_000);
    }

    private Handshake handshake() throws SSLException {
        return Handshake.between(ofClient(), ofBroker());
    }

    @Test
    void eachShowsItsCertificate() throws Exception {
        Handshake handshake = handshake();
        assertThat(handshake.serverName()).isEqualTo("CN=broker");
        assertThat(handshake.clientName()).isEqualTo("CN=client");
        assertThat(handshake.send("records")).isEqualTo("records");
    }

    @Test
    void newCertificatesAreShownAtTheNextHandshake() throws Exception {
        handshake();
        put("broker.pem", authority.issue("broker two").pem());
        put("client.pem", authority.issue("client two").pem());
        Handshake after = handshake();
        assertThat(after.serverName()).isEqualTo("CN=broker two");
        assertThat(after.clientName()).isEqualTo("CN=client two");
    }

    @Test
    void anEngineFromBeforeTheChangeShowsWhatIsInTheFileWhenItShakesHands() throws Exception {
        SSLEngine ofClient = ofClient();
        SSLEngine ofBroker = ofBroker();
        put("broker.pem", authority.issue("broker two").pem());
        assertThat(Handshake.between(ofClient, ofBroker).serverName()).isEqualTo("CN=broker two");
    }

    @Test
    void aConnectionFromBeforeTheChangeGoesOn() throws Exception {
        Handshake before = handshake();
        TestAuthority next = new TestAuthority("next");
        put("broker.pem", next.issue("broker two").pem());
        put("broker-ca.pem", next.pem());
        put("client-ca.pem", next.pem());
        assertThat(before.send("records")).isEqualTo("records");
        assertThat(before.serverName()).isEqualTo("CN=broker");
    }

    @Test
    void anAuthorityIsReplacedWithoutAnInterruption() throws Exception {
        TestAuthority next = new TestAuthority("next");
        put("broker-ca.pem", authority.pem() + next.pem());
        put("client-ca.pem", authority.pem() + next.pem());
        handshake();
        put("broker.pem", next.issue("broker two").pem());
        handshake();
        put("client.pem", next.issue("client two").pem());
        handshake();
        put("broker-ca.pem", next.pem());
        put("client-ca.pem", next.pem());
        handshake();
        put("client.pem", authority.issue("client").pem());
        assertThatThrownBy(this::handshake)
                .as("the broker does not trust the old one any more")
                .isInstanceOf(SSLHandshakeException.class);
        put("client.pem", next.issue("client two").pem());
        put("broker.pem", authority.issue("broker").pem());
        assertThatThrownBy(this::handshake).as("nor does the client").isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void filesThatAreMissingOrGarbageLeaveInUseWhatTheyHeldBefore() throws Exception {
        for (String file : new String[] {"broker.pem", "client.pem", "broker-ca.pem", "client-ca.pem"}) {
            Files.delete(directory.resolve(file));
            assertThat(handshake().serverName()).as("without %s", file).isEqualTo("CN=broker");
            put(file, "garbage");
            assertThat(handshake().serverName()).as("garbage in %s", file).isEqualTo("CN=broker");
        }
        put("broker.pem", authority.issue("broker two").pem());
        assertThat(handshake().serverName()).isEqualTo("CN=broker two");
    }

    @Test
    void aClientWithoutACertificateIsRefusedWhereOneIsRequired() throws Exception {
        client = configured("client", Map.of());
        assertThatThrownBy(this::handshake).isInstanceOf(SSLException.class);

        for (String auth : new String[] {"requested", "none"}) {
            broker = engines("broker", Map.of("ssl.client.auth", auth));
            Handshake handshake = handshake();
            assertThat(handshake.serverName()).isEqualTo("CN=broker");
            assertThatThrownBy(handshake::clientName).as(auth).isInstanceOf(SSLPeerUnverifiedException.class);
        }
        client = engines("client", Map.of());
        broker = engines("broker", Map.of("ssl.client.auth", "requested"));
        assertThat(handshake().clientName()).isEqualTo("CN=client");
    }

    @Test
    void aClientRefusesABrokerUnderAnotherNameIfItLooksAtNames() throws Exception {
        assertThatThrownBy(() -> Handshake.between(
                        client.createClientSslEngine("elsewhere.example.com", 9092, HTTPS), ofBroker()))
                .isInstanceOf(SSLHandshakeException.class);
        Handshake.between(client.createClientSslEngine("elsewhere.example.com", 9092, ""), ofBroker());
    }

    @Test
    void filesThatAreMissingFromTheBeginningAreAnError() throws Exception {
        assertThatThrownBy(() -> new PemEngines().configure(Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ssl.truststore.location is needed");
        Path file = directory.resolve("broker.pem");
        Files.delete(file);
        assertThatThrownBy(() -> engines("broker", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString());
    }
}
