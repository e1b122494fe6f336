package io.cordwood.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates in PEM files, and TLS that follows them. */
final class PemFilesTest {
    private static final char[] NO_PASSWORD = new char[0];

    @TempDir
    private Path directory;

    private TestAuthority authority;
    private Path own;
    private Path authorities;

    @BeforeEach
    void issue() throws Exception {
        authority = new TestAuthority("authority");
        own = Files.writeString(
                directory.resolve("own.pem"), authority.issue("one").pem());
        authorities = Files.writeString(directory.resolve("ca.pem"), authority.pem());
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws Exception {
        TestAuthority.Pair one = authority.issue("one");
        TestAuthority.Pair two = authority.issue("two");
        assertRefused(one.key() + two.certificate());
        assertRefused(authority.issueRsa("rsa").key() + one.certificate());
        assertRefused(one.key() + authority.issueRsa("rsa").certificate());
        assertRefused(
                authority.issueRsa("rsa").key() + authority.issueRsa("another").certificate());
    }

    @Test
    void metricsSayWhenTheFirstCertificateEnds() throws Exception {
        X509Certificate certificate =
                (X509Certificate) PemFiles.keyAndCertificates(own).getCertificate();
        String series = "cordwood_certificate_expiry_timestamp_seconds ";
        assertThat(CertificateMetrics.toPrometheus(Optional.of(own)))
                .contains(series + certificate.getNotAfter().toInstant().getEpochSecond() + "\n");
        assertThat(CertificateMetrics.toPrometheus(Optional.empty())).isEmpty();
        // Such a file is not served
        Files.writeString(
                own, authority.issue("one").key() + authority.issue("two").certificate());
        assertThat(CertificateMetrics.toPrometheus(Optional.of(own))).endsWith(series + "0\n");
    }

    private void assertRefused(String pem) throws IOException {
        Files.writeString(own, pem);
        assertThatThrownBy(() -> PemFiles.keyStore(own, NO_PASSWORD))
                .isInstanceOf(IOException.class)
                .hasMessage("The key in %s is not that of its certificate", own);
        assertThatThrownBy(() -> PemFiles.serving(own)).hasMessageContaining("not that of its certificate");
    }

    @Test
    void aKeyAndItsCertificateAreTaken() throws Exception {
        for (TestAuthority.Pair pair : new TestAuthority.Pair[] {authority.issue("own"), authority.issueRsa("own")}) {
            Files.writeString(own, pair.certificate() + authority.pem() + pair.key());
            X509Certificate first =
                    (X509Certificate) PemFiles.keyAndCertificates(own).getCertificate();
            assertThat(first.getSubjectX500Principal().getName()).isEqualTo("CN=own");
            KeyStore store = PemFiles.keyStore(own, NO_PASSWORD);
            assertThat(store.getCertificate("own")).isEqualTo(first);
            assertThat(store.getKey("own", NO_PASSWORD))
                    .isEqualTo(PemFiles.keyAndCertificates(own).getPrivateKey());
        }
    }

    @Test
    void handshakesGoByThePairFromBeforeWhileKeyAndCertificateDoNotMatch() throws Exception {
        SSLContext server = PemFiles.serving(own);
        SSLContext client = PemFiles.trusting(authorities);
        TestAuthority.Pair two = authority.issue("two");

        Files.writeString(own, authority.issue("three").key() + two.certificate());
        assertThat(handshake(client, server).serverName()).isEqualTo("CN=one");
        Files.writeString(own, two.pem());
        assertThat(handshake(client, server).serverName()).isEqualTo("CN=two");
    }

    @Test
    void whoIsTrustedFollowsTheFile() throws Exception {
        SSLContext server = PemFiles.serving(own);
        SSLContext client = PemFiles.trusting(authorities);
        TestAuthority next = new TestAuthority("next");

        Files.writeString(authorities, authority.pem() + next.pem());
        handshake(client, server);
        Files.writeString(authorities, "garbage");
        handshake(client, server);
        Files.writeString(authorities, next.pem());
        assertThatThrownBy(() -> handshake(client, server)).isInstanceOf(SSLHandshakeException.class);
        Files.writeString(own, next.issue("two").pem());
        assertThat(handshake(client, server).serverName()).isEqualTo("CN=two");
    }

    private static Handshake handshake(SSLContext client, SSLContext server) throws IOException {
        return Handshake.between(client.createSSLEngine(), server.createSSLEngine());
    }
}
