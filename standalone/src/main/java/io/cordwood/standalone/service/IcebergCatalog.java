package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Clients;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.identity.ServiceRole;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.secret.Secrets;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The Trino catalog {@code iceberg}: Trino's own Iceberg connector on the same tables.
 *
 * @param catalogUri the catalog service
 * @param warehouse location of the tables
 * @param s3 connection to the S3 store, if the tables are in one
 * @param secrets what it proves itself with, in a stack with authentication
 */
record IcebergCatalog(String catalogUri, String warehouse, S3Settings s3, Optional<Secrets> secrets) {
    private static final String MODULE = "standalone/trino-iceberg";
    private static final String NAME = "iceberg";
    private static final String SERVICE = "META-INF/services/io.trino.spi.Plugin";
    private static final String PLUGIN = "io.trino.plugin.iceberg.IcebergPlugin\n";

    /** @throws CordwoodException if the connector was not fetched */
    static void check(Installation installation) {
        if (!installation.isBuilt(MODULE)) {
            throw new CordwoodException(
                    "Trino's Iceberg connector is missing: use bin/cordwood, which fetches it, or ./mvnw -pl %s package"
                            .formatted(MODULE));
        }
    }

    void write(Installation installation, Path plugins, Path catalogs) throws IOException {
        String classPath = Files.readString(installation.root().resolve(MODULE).resolve("target/classpath.txt"));
        Path plugin = plugins.resolve(NAME);
        clear(plugin);
        Files.createDirectories(plugin);
        for (String jar : classPath.strip().split(File.pathSeparator, -1)) {
            Files.createSymbolicLink(plugin.resolve(Path.of(jar).getFileName()), Path.of(jar));
        }
        try (ZipOutputStream services =
                new ZipOutputStream(Files.newOutputStream(plugin.resolve("cordwood-services.jar")))) {
            services.putNextEntry(new ZipEntry(SERVICE));
            services.write(PLUGIN.getBytes(StandardCharsets.UTF_8));
        }
        AtomicFiles.write(catalogs.resolve(NAME + ".properties"), """
                connector.name=iceberg
                iceberg.catalog.type=rest
                iceberg.rest-catalog.uri=%s
                iceberg.unique-table-location=false
                """.formatted(catalogUri) + identity() + files());
    }

    /** Iceberg's client has no file of a token. */
    private String identity() throws IOException {
        return secrets.isEmpty()
                ? ""
                : """
                iceberg.rest-catalog.security=OAUTH2
                iceberg.rest-catalog.oauth2.token=%s
                """.formatted(Files.readString(secrets.get().token(ServiceRole.QUERY.label()))
                        .strip());
    }

    private String files() {
        if (!S3Settings.isS3(warehouse)) {
            return "fs.local.enabled=true\nlocal.location=/\n";
        }
        StringBuilder properties = new StringBuilder("fs.s3.enabled=true\n");
        s3.endpoint()
                .ifPresent(endpoint ->
                        properties.append("s3.endpoint=").append(endpoint).append('\n'));
        S3Clients.region(s3)
                .ifPresent(
                        region -> properties.append("s3.region=").append(region).append('\n'));
        properties.append("s3.path-style-access=").append(s3.pathStyle()).append('\n');
        return properties.toString();
    }

    /** Whether a Trino with these catalogs has this one. */
    static boolean isIn(Path catalogs) {
        return Files.exists(catalogs.resolve(NAME + ".properties"));
    }

    /** Removes the files of an earlier start with this catalog. */
    static void remove(Path plugins, Path catalogs) throws IOException {
        Files.deleteIfExists(catalogs.resolve(NAME + ".properties"));
        clear(plugins.resolve(NAME));
        Files.deleteIfExists(plugins.resolve(NAME));
    }

    private static void clear(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
