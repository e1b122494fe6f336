package io.cordwood.gateway;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.User;
import io.cordwood.gateway.syslog.SyslogServer;
import io.cordwood.http.HttpSettings;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.services.OwnCertificate;
import io.cordwood.services.Waiting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A gateway with TLS that takes rows only with an API key, and a catalog service that knows the keys. Its rows go to
 * the Kafka of an open one, which reads them.
 */
public final class ClosedGateway implements AutoCloseable {
    private static final String BOOTSTRAP_TOKEN = "a-secret-of-the-first-start";

    private final CatalogServer catalog;
    private final CatalogClient admin;
    private final GatewayServer gateway;
    private final OwnCertificate certificate;

    private ClosedGateway(
            CatalogServer catalog, CatalogClient admin, GatewayServer gateway, OwnCertificate certificate) {
        this.catalog = catalog;
        this.admin = admin;
        this.gateway = gateway;
        this.certificate = certificate;
    }

    /**
     * Starts it.
     *
     * @param home an empty directory
     */
    public static ClosedGateway beside(GatewayFixture open, Path home) throws Exception {
        OwnCertificate certificate = OwnCertificate.create(home, "own");
        CatalogServer catalog = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                home.resolve("warehouse").toString(),
                Map.of(),
                Optional.of(new CatalogServerOptions.Authentication(
                        Files.writeString(home.resolve("bootstrap.token"), BOOTSTRAP_TOKEN + "\n"),
                        Files.writeString(
                                home.resolve("keys.json"), SigningKeys.create().toJson()),
                        Optional.empty())),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty()));
        String token = CatalogClient.bootstrap(catalog.uri(), Map.of(), BOOTSTRAP_TOKEN, "admin")
                .token();
        CatalogClient admin = CatalogClient.connect(catalog.uri(), Map.of(CatalogClient.TOKEN, token));
        admin.putUser(User.service(ServiceRole.GATEWAY));
        String own = admin.createToken(ServiceRole.GATEWAY.label()).token();
        GatewayServer gateway = GatewayServer.start(open.options(
                new HttpSettings("127.0.0.1", 0, Optional.of(certificate.own()), OptionalInt.of(0)),
                catalog.uri(),
                Map.of(CatalogClient.TOKEN, own)));
        return new ClosedGateway(catalog, admin, gateway, certificate);
    }

    /** Registers a tenant, and returns an API key that may write its rows, once the gateway knows it. */
    public String keyOf(String tenant) throws Exception {
        admin.putTenant(Tenant.of(tenant));
        String user = "shipper-of-" + tenant;
        admin.putUser(User.person(user, Map.of(tenant, Set.of(TenantRole.WRITER))));
        String key = admin.createToken(user).token();
        HttpRequest request = HttpRequest.newBuilder(gateway.uri().resolve("/v1/logs"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"resourceLogs\":[]}"))
                .build();
        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(PemFiles.trusting(certificate.authority()))
                .build()) {
            Waiting.until(
                    "the key is known",
                    () -> http.send(request, HttpResponse.BodyHandlers.discarding())
                                    .statusCode()
                            == 200);
        }
        return key;
    }

    /** File with the certificate that clients trust, which is one of {@code localhost}. */
    public Path authority() {
        return certificate.authority();
    }

    public URI uri() {
        return gateway.uri();
    }

    /** Where it takes syslog over TLS. */
    public SyslogServer syslog() {
        return gateway.syslog().orElseThrow();
    }

    @Override
    public void close() {
        gateway.close();
        admin.close();
        catalog.close();
    }
}
