package io.cordwood.catalog.server;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.server.storage.StorageRole;
import io.cordwood.identity.Loopback;
import io.cordwood.identity.OpenIdProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The operator's settings for the service. Immutable.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 for a free one
 * @param jdbcUrl database: {@code jdbc:sqlite:<file>} or {@code jdbc:postgresql:..}
 * @param warehouse URI under which tables without a location of their own are created
 * @param catalogProperties further properties of Iceberg's catalog, for instance {@code io-impl}
 * @param authentication how callers prove who they are; empty: every caller may do everything
 * @param tlsKeystore file with a key and its certificates in PEM; empty: plain HTTP
 * @param metricsPort port for metrics alone; 0 for a free one; empty: none
 * @param storageRole role of the keys that readers are given to their tables in an S3 store; empty: they get none
 */
public record CatalogServerOptions(
        String host,
        int port,
        String jdbcUrl,
        String warehouse,
        Map<String, String> catalogProperties,
        Optional<Authentication> authentication,
        Optional<Path> tlsKeystore,
        OptionalInt metricsPort,
        Optional<StorageRole> storageRole) {
    /**
     * How callers prove who they are.
     *
     * @param bootstrapToken file with a secret that makes the first operator
     * @param signingKeys file with private keys as a JWK set
     * @param issuer a provider whose tokens are exchanged for those of the lake
     */
    public record Authentication(Path bootstrapToken, Path signingKeys, Optional<OpenIdProvider.Settings> issuer) {
        public Authentication {
            requireNonNull(bootstrapToken, "bootstrapToken is null");
            requireNonNull(signingKeys, "signingKeys is null");
            requireNonNull(issuer, "issuer is null");
        }
    }

    public CatalogServerOptions {
        requireNonNull(host, "host is null");
        requireNonNull(jdbcUrl, "jdbcUrl is null");
        requireNonNull(authentication, "authentication is null");
        requireNonNull(tlsKeystore, "tlsKeystore is null");
        requireNonNull(metricsPort, "metricsPort is null");
        requireNonNull(storageRole, "storageRole is null");
        if (!warehouse.contains(":")) {
            warehouse = LocalFileIO.location(Path.of(warehouse));
        }
        catalogProperties = Map.copyOf(catalogProperties);
        if (storageRole.isPresent() && (authentication.isEmpty() || !S3Settings.isS3(warehouse))) {
            throw new IllegalArgumentException(
                    "--sts-role-arn needs a warehouse in S3, --bootstrap-token-file and --signing-keys");
        }
    }

    /** Whether other machines reach the service, and it asks nobody who calls. */
    boolean isOpenToOthers() {
        return authentication.isEmpty() && !Loopback.is(host);
    }

    /** A service without authentication, for this machine. */
    public CatalogServerOptions(
            String host, int port, String jdbcUrl, String warehouse, Map<String, String> catalogProperties) {
        this(
                host,
                port,
                jdbcUrl,
                warehouse,
                catalogProperties,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty());
    }
}
