package io.cordwood.standalone;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.server.JdbcUrl;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say where LogBlocks and the catalog's database are. */
final class WarehouseFlags {
    private static final Pattern ENDPOINT = Pattern.compile("https?://[^ /]+/?");
    private static final Pattern S3 = Pattern.compile("s3://[^/ ?#]+/[^/ ?#]+(/[^/ ?#]+)*/?");

    @Option(
            names = "--warehouse",
            paramLabel = "DIR|s3://BUCKET/PREFIX",
            description = "keep LogBlocks there instead of in the home")
    private String warehouse;

    @Option(
            names = "--s3-endpoint",
            paramLabel = "URL",
            description = "the S3 store of --warehouse, if it is not AWS; credentials come from AWS's default chain")
    private String s3Endpoint;

    @Option(
            names = "--s3-region",
            paramLabel = "NAME",
            description = "its region (default: AWS_REGION or the profile's)")
    private String s3Region;

    @Option(
            names = "--s3-path-style",
            description = "puts the bucket in the path, not in the host name; most stores other than AWS need this")
    private boolean s3PathStyle;

    @Option(
            names = "--catalog-db",
            paramLabel = "JDBC-URL",
            converter = JdbcUrl.class,
            description = "use this database for the catalog (SQLite or PostgreSQL)")
    private String catalogDatabase;

    /**
     * Checks that the options go together.
     *
     * @param spec the command, for its errors
     * @param isStoreUsedElsewhere whether the S3 store is that of another location too
     */
    void check(CommandSpec spec, boolean isStoreUsedElsewhere) {
        requireLocation(spec, "--warehouse", warehouse);
        require(
                spec,
                s3Endpoint == null || ENDPOINT.matcher(s3Endpoint).matches(),
                "--s3-endpoint: %s is not an http(s) URL without a path",
                s3Endpoint);
        require(
                spec,
                isS3(warehouse) || isStoreUsedElsewhere || (s3Endpoint == null && s3Region == null && !s3PathStyle),
                "--s3-endpoint, --s3-region and --s3-path-style need --warehouse %s",
                "s3://BUCKET/PREFIX");
    }

    /** The warehouse as a URI, if it is not in the home. */
    Optional<String> location() {
        return Optional.ofNullable(warehouse).map(WarehouseFlags::uri);
    }

    S3Settings s3() {
        return new S3Settings(
                Optional.ofNullable(s3Endpoint).map(URI::create), Optional.ofNullable(s3Region), s3PathStyle);
    }

    /** The database, if it is not in the home. */
    Optional<String> catalogDatabase() {
        return Optional.ofNullable(catalogDatabase);
    }

    /** Checks that an option is a directory or a location in an S3 store. */
    static void requireLocation(CommandSpec spec, String option, String location) {
        require(
                spec,
                location == null
                        || S3.matcher(location).matches()
                        || location.startsWith("file:///")
                        || !location.contains("://"),
                option + ": %s is neither a directory nor s3://BUCKET/PREFIX",
                location);
    }

    private static void require(CommandSpec spec, boolean condition, String message, Object value) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message.formatted(value));
        }
    }

    static boolean isS3(String location) {
        return location != null && S3Settings.isS3(location);
    }

    /** A directory or URI as a URI without a slash at the end. */
    static String uri(String directory) {
        String uri = directory.contains("://")
                ? directory
                : "file://" + Path.of(directory).toAbsolutePath().normalize();
        return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    }
}
