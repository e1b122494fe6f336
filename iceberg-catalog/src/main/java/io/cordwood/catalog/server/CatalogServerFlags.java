package io.cordwood.catalog.server;

import io.cordwood.catalog.option.IssuerFlags;
import io.cordwood.catalog.server.storage.StorageRole;
import io.cordwood.options.Port;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The service's options on the command line. */
final class CatalogServerFlags {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            converter = JdbcUrl.class,
            description = "jdbc:sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=..&password=..")
    private String jdbcUrl;

    @Option(
            names = "--jdbc-url-file",
            paramLabel = "FILE",
            converter = JdbcUrl.File.class,
            description =
                    "instead of --jdbc-url: a file with that URL, since every user of the machine can read a command line")
    private String jdbcUrlFromFile;

    @Option(
            names = "--warehouse",
            required = true,
            paramLabel = "URI",
            description = "location of new tables: a directory or a URI")
    private String warehouse;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "address to listen on; one that other machines reach needs --bootstrap-token-file (default:"
                    + " ${DEFAULT-VALUE})")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "8181",
            converter = Port.class,
            description = "port to listen on; 0 for a free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--property",
            paramLabel = "NAME=VALUE",
            description = "a property of Iceberg's catalog, such as io-impl=org.apache.iceberg.aws.s3.S3FileIO")
    private Map<String, String> properties = Map.of();

    @Option(
            names = "--bootstrap-token-file",
            paramLabel = "FILE",
            description = "turns authentication on: a file with the secret that makes the first operator")
    private Path bootstrapToken;

    @Option(
            names = "--signing-keys",
            paramLabel = "FILE",
            description = "a file with the private keys of tokens, a JWK set; goes with --bootstrap-token-file")
    private Path signingKeys;

    @Mixin
    private IssuerFlags issuer;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "serves https: a file with a private key and its certificates in PEM")
    private Path tlsKeystore;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = Port.class,
            description =
                    "port for /metrics and /health alone, in plain http on the same address; 0 for a free one. With"
                            + " authentication, the metrics are only there")
    private Integer metricsPort;

    @Option(
            names = "--insecure-open",
            description = "listens on other addresses without authentication: for networks that nobody else reaches")
    private boolean insecureOpen;

    @Option(
            names = "--sts-role-arn",
            paramLabel = "ARN",
            description =
                    "with authentication and a warehouse in S3: the role of the keys, for an hour and one table, that"
                            + " readers get who ask for vended-credentials")
    private String storageRole;

    @Option(
            names = "--sts-endpoint",
            paramLabel = "URL",
            description = "address of the security token service that knows the role of --sts-role-arn (default: AWS)")
    private URI stsEndpoint;

    /** The values. @throws ParameterException if they do not go together */
    CatalogServerOptions options() {
        if ((jdbcUrl == null) == (jdbcUrlFromFile == null)) {
            throw new ParameterException(spec.commandLine(), "give either --jdbc-url or --jdbc-url-file");
        }
        if ((bootstrapToken == null) != (signingKeys == null)) {
            throw new ParameterException(
                    spec.commandLine(), "--bootstrap-token-file and --signing-keys go together: give both or none");
        }
        if (issuer.settings().isPresent() && bootstrapToken == null) {
            throw new ParameterException(
                    spec.commandLine(), "--issuer needs --bootstrap-token-file and --signing-keys");
        }
        if (stsEndpoint != null && storageRole == null) {
            throw new ParameterException(spec.commandLine(), "--sts-endpoint goes with --sts-role-arn: give both");
        }
        CatalogServerOptions options = values();
        if (options.isOpenToOthers() && !insecureOpen) {
            throw new ParameterException(
                    spec.commandLine(),
                    "other machines reach the address %s: give --bootstrap-token-file and --signing-keys, or listen on 127.0.0.1"
                            .formatted(host));
        }
        return options;
    }

    private CatalogServerOptions values() {
        try {
            return new CatalogServerOptions(
                    host,
                    port,
                    jdbcUrl == null ? jdbcUrlFromFile : jdbcUrl,
                    warehouse,
                    properties,
                    Optional.ofNullable(bootstrapToken)
                            .map(file -> new CatalogServerOptions.Authentication(file, signingKeys, issuer.settings())),
                    Optional.ofNullable(tlsKeystore),
                    metricsPort == null ? OptionalInt.empty() : OptionalInt.of(metricsPort),
                    Optional.ofNullable(storageRole)
                            .map(arn -> new StorageRole(arn, Optional.ofNullable(stsEndpoint))));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
