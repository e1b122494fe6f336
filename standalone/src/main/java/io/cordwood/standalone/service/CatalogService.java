package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.identity.Loopback;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Secrets;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The Iceberg REST catalog with the tenant registry. */
final class CatalogService {
    static final String NAME = "catalog";
    /** The port of its metrics where its own asks for a token. */
    static final String METRICS = "catalog-metrics";

    private static final String MODULE = "standalone/catalog-server";
    private static final int HEAP_MEGABYTES = 384;
    /** Of an unpacked block of an Avro file. Iceberg's writers begin another block after 64 KB. */
    private static final int MAX_BLOCK_BYTES = 16 << 20;
    /** Of a string in an Avro file. */
    private static final int MAX_STRING_BYTES = 1 << 20;

    private static final LogConfiguration LOG =
            new LogConfiguration(NAME, "WARN", Map.of("io.cordwood", "INFO", "org.apache.iceberg", "WARN"));

    private CatalogService() {}

    static ServiceSpec spec(
            Home home,
            Installation installation,
            Ports ports,
            String jdbcUrl,
            String warehouse,
            S3Settings s3,
            Optional<Secrets> secrets,
            Optional<OpenIdProvider.Settings> issuer) {
        String url = url(ports, secrets);
        return new ServiceSpec(
                NAME,
                url,
                Set.of(),
                () -> command(home, installation, ports, jdbcUrl, warehouse, s3, secrets, issuer),
                () -> !Probes.get(url + "/health", secrets).isEmpty(),
                () -> {
                    if (secrets.isPresent()) {
                        new ServiceTokens(secrets.get(), URI.create(url)).issue();
                    }
                },
                Duration.ofSeconds(15));
    }

    private static ServiceSpec.Command command(
            Home home,
            Installation installation,
            Ports ports,
            String jdbcUrl,
            String warehouse,
            S3Settings s3,
            Optional<Secrets> secrets,
            Optional<OpenIdProvider.Settings> issuer) {
        // The file may hold a password, so only its owner may read it.
        Path database = home.configuration().resolve("catalog-db.url");
        AtomicFiles.write(database, jdbcUrl);
        JavaCommand command = new JavaCommand(home, NAME)
                .heap(HEAP_MEGABYTES)
                .option("-XX:+UseSerialGC")
                // It reads manifests of people, in which a small file can unpack to more than the heap
                .option("-Dorg.apache.avro.limits.decompress.maxLength=" + MAX_BLOCK_BYTES)
                .option("-Dorg.apache.avro.limits.string.maxLength=" + MAX_STRING_BYTES)
                .log4j(LOG)
                .argument("--host", ports.host())
                .argument("--port", Integer.toString(ports.of(NAME)))
                .argument("--jdbc-url-file", database.toString())
                .argument("--warehouse", warehouse);
        secrets.ifPresent(own -> command.argument(
                        "--bootstrap-token-file", own.bootstrapToken().toString())
                .argument("--signing-keys", own.signingKeys().toString())
                .argument("--tls-keystore", own.certificate(NAME).toString())
                .argument("--metrics-port", Integer.toString(ports.of(METRICS))));
        issuer.ifPresent(
                provider -> command.argument("--issuer", provider.issuer().toString())
                        .argument("--issuer-audience", provider.audience())
                        .argument("--issuer-user-claim", provider.userClaim()));
        if (secrets.isEmpty() && !Loopback.is(ports.host())) {
            // Whoever started this service has said so.
            command.argument("--insecure-open");
        }
        return command.properties(s3.properties())
                .service(installation, MODULE, "io.cordwood.catalog.server.CatalogServer");
    }

    static String url(Ports ports, Optional<Secrets> secrets) {
        return (secrets.isPresent() ? "https://" : "http://") + ports.address(NAME);
    }
}
