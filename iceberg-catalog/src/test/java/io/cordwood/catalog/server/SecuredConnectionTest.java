package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.identity.Audience;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.SigningKeys;
import io.cordwood.services.OwnCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, tokens in files, and the port of the metrics. */
class SecuredConnectionTest {
    @TempDir
    private Path directory;

    private CatalogServer start(Optional<Path> tls) throws IOException {
        Path bootstrap = Files.writeString(directory.resolve("bootstrap.token"), SecuredService.BOOTSTRAP_TOKEN);
        Path keys = Files.writeString(
                directory.resolve("signing-keys.json"), SigningKeys.create().toJson());
        return CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of(),
                Optional.of(new CatalogServerOptions.Authentication(bootstrap, keys, Optional.empty())),
                tls,
                OptionalInt.of(0),
                Optional.empty()));
    }

    @Test
    void tablesAreReadAndCommittedOverTls() throws Exception {
        OwnCertificate certificate = OwnCertificate.create(directory, "catalog");
        OwnCertificate other = OwnCertificate.create(directory, "other");
        try (CatalogServer server = start(Optional.of(certificate.own()))) {
            assertThat(server.uri().getScheme()).isEqualTo("https");
            Map<String, String> trusting =
                    Map.of(CatalogClient.CA_FILE, certificate.authority().toString());
            IssuedToken token =
                    CatalogClient.bootstrap(server.uri(), trusting, SecuredService.BOOTSTRAP_TOKEN, "admin");
            Path file = Files.writeString(directory.resolve("admin.token"), token.token() + "\n");
            Map<String, String> properties = Map.of(
                    CatalogClient.CA_FILE,
                    certificate.authority().toString(),
                    CatalogClient.TOKEN_FILE,
                    file.toString());
            try (CatalogClient client = CatalogClient.connect(server.uri(), properties)) {
                client.ensureTable("acme", "logs", List.of());
                client.catalog()
                        .loadTable(TenantNames.table("acme", "logs"))
                        .updateProperties()
                        .set("p", "v")
                        .commit();
                assertThat(client.table("acme", "logs")).isPresent();
            }
            assertThatThrownBy(() -> CatalogClient.connect(
                            server.uri(),
                            Map.of(
                                    CatalogClient.CA_FILE,
                                    other.authority().toString(),
                                    CatalogClient.TOKEN_FILE,
                                    file.toString())))
                    .as("a certificate of another")
                    .isInstanceOf(CatalogException.class)
                    .hasMessageNotContaining(token.token());
            assertThatThrownBy(() -> CatalogClient.connect(server.uri(), Map.of(CatalogClient.TOKEN, token.token())))
                    .as("an authority that Java does not know")
                    .isInstanceOf(CatalogException.class);
        }
    }

    @Test
    void aTokenInAFileIsRotatedUnderARunningClient() throws Exception {
        try (CatalogServer server = start(Optional.empty())) {
            IssuedToken first =
                    CatalogClient.bootstrap(server.uri(), Map.of(), SecuredService.BOOTSTRAP_TOKEN, "admin");
            Path file = Files.writeString(directory.resolve("admin.token"), first.token());
            try (CatalogClient client =
                    CatalogClient.connect(server.uri(), Map.of(CatalogClient.TOKEN_FILE, file.toString()))) {
                client.ensureTable("acme", "logs", List.of());
                IssuedToken second = client.createToken("admin");
                Files.writeString(file, second.token());
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
                client.revokeToken(first.id());
                assertThat(client.whoami().expires()).hasValue(second.expires());
                assertThat(client.table("acme", "logs")).isPresent();
            }
            assertThatThrownBy(() -> CatalogClient.connect(
                            server.uri(),
                            Map.of(CatalogClient.TOKEN, first.token(), CatalogClient.TOKEN_FILE, file.toString())))
                    .hasMessageContaining("not both");
        }
    }

    @Test
    void aCertificateIsReplacedUnderARunningServiceAndClient() throws Exception {
        OwnCertificate first = OwnCertificate.create(directory, "first");
        OwnCertificate second = OwnCertificate.create(directory, "second");
        Path own = Files.copy(first.own(), directory.resolve("own.pem"));
        Path authorities = Files.copy(first.authority(), directory.resolve("authorities.pem"));
        try (CatalogServer server = start(Optional.of(own))) {
            SSLContext client = PemFiles.trusting(authorities);
            assertThat(answers(server, client)).isTrue();
            replace(own, Files.readString(second.own()));
            assertThat(answers(server, client)).as("not trusted yet").isFalse();
            replace(authorities, Files.readString(first.authority()) + Files.readString(second.authority()));
            assertThat(answers(server, client)).isTrue();
            assertThat(answers(server, PemFiles.trusting(second.authority()))).isTrue();
            assertThat(answers(server, PemFiles.trusting(first.authority()))).isFalse();

            replace(own, "half of a certificate");
            assertThat(answers(server, client)).as("with the last good one").isTrue();
        }
    }

    /** Whether a handshake without a session from before succeeds. */
    private static boolean answers(CatalogServer server, SSLContext tls) throws IOException {
        tls.getClientSessionContext().setSessionTimeout(1);
        Collections.list(tls.getClientSessionContext().getIds())
                .forEach(id -> tls.getClientSessionContext().getSession(id).invalidate());
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory()
                .createSocket(server.uri().getHost(), server.uri().getPort())) {
            socket.startHandshake();
            return true;
        } catch (SSLException e) {
            return false;
        }
    }

    private static void replace(Path file, String content) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void signingKeysAreRotatedUnderARunningService() throws Exception {
        try (CatalogServer server = start(Optional.empty())) {
            Path file = directory.resolve("signing-keys.json");
            SigningKeys before = SigningKeys.read(file);
            IssuedToken old = CatalogClient.bootstrap(server.uri(), Map.of(), SecuredService.BOOTSTRAP_TOKEN, "admin");
            try (CatalogClient client = CatalogClient.connect(server.uri(), Map.of(CatalogClient.TOKEN, old.token()))) {
                replace(file, before.withNext().rotated(Instant.now()).toJson());
                IssuedToken issued = client.createToken("admin");

                assertThatThrownBy(() -> before.publicKeys().verify(issued.token(), Audience.REQUESTS))
                        .as("the new key signs")
                        .isInstanceOf(InvalidTokenException.class);
                assertThat(client.tokenRules()
                                .keys()
                                .verify(issued.token(), Audience.REQUESTS)
                                .id())
                        .isEqualTo(issued.id());
                assertThat(client.tokenRules()
                                .keys()
                                .verify(old.token(), Audience.REQUESTS)
                                .id())
                        .isEqualTo(old.id());

                replace(file, SigningKeys.create().toJson());
                assertThatThrownBy(client::whoami)
                        .as("its key is gone")
                        .hasMessageContaining("signed with a key that is not known");
            }
        }
    }

    @Test
    void metricsHaveAPortOfTheirOwn() throws Exception {
        try (CatalogServer server = start(Optional.empty());
                HttpClient http = HttpClient.newHttpClient()) {
            URI metrics = server.metricsUri().orElseThrow();
            assertThat(status(http, metrics + "/metrics")).isEqualTo(200);
            assertThat(status(http, metrics + "/health")).isEqualTo(200);
            assertThat(status(http, metrics + "/v1/config")).isEqualTo(404);
            assertThat(status(http, server.uri() + "/metrics")).isEqualTo(401);
            assertThat(status(http, server.uri() + "/health")).isEqualTo(200);
        }
    }

    private static int status(HttpClient http, String uri) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void filesOfAuthenticationThatAreWrongAreOneClearMessage() throws Exception {
        Path keys = Files.writeString(
                directory.resolve("keys"), SigningKeys.create().toJson());
        Path weak = Files.writeString(directory.resolve("weak"), "short");
        assertThatThrownBy(() -> start(weak, keys)).hasMessageContaining("shorter than 20 characters");
        Path bootstrap = Files.writeString(directory.resolve("bootstrap"), SecuredService.BOOTSTRAP_TOKEN);
        Path broken = Files.writeString(directory.resolve("broken"), "{\"d\":\"secret\"");
        assertThatThrownBy(() -> start(bootstrap, broken))
                .hasMessageContaining("is not a JWK set")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> start(bootstrap, directory.resolve("none"))).isInstanceOf(IOException.class);
    }

    private void start(Path bootstrap, Path keys) throws IOException {
        CatalogServer.start(new CatalogServerOptions(
                        "127.0.0.1",
                        0,
                        "jdbc:sqlite:" + directory.resolve("catalog.db"),
                        directory.toString(),
                        Map.of(),
                        Optional.of(new CatalogServerOptions.Authentication(bootstrap, keys, Optional.empty())),
                        Optional.empty(),
                        OptionalInt.empty(),
                        Optional.empty()))
                .close();
    }
}
