package io.cordwood.standalone.service;

import io.cordwood.identity.ServiceRole;
import io.cordwood.ingest.StreamOptions;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Trino catalog {@code cordwood}: its plugin and its properties.
 *
 * @param catalogUri the catalog service
 * @param streams the streams, each a table of every tenant, their columns, and the tenant of records that name none
 * @param kafka {@code host:port} of Kafka
 * @param kafkaProperties file with client properties of that Kafka
 * @param redis URL of Redis
 * @param secrets what it proves itself with, in a stack with authentication
 */
record TrinoCatalog(
        String catalogUri,
        StreamOptions streams,
        String kafka,
        Optional<Path> kafkaProperties,
        String redis,
        Optional<Secrets> secrets) {
    private static final String PLUGIN_MODULE = "trino-connector";

    static TrinoCatalog of(String catalogUri, String kafka, String redis, StackOptions options) {
        return new TrinoCatalog(
                catalogUri,
                options.streamOptions(),
                kafka,
                options.kafkaProperties(Account.QUERY),
                redis,
                options.secrets());
    }

    void write(Installation installation, Path plugins, Path catalogs) throws IOException {
        copyPlugin(installation, Files.createDirectories(plugins.resolve("cordwood")));
        StringBuilder properties = new StringBuilder("""
                connector.name=cordwood
                cordwood.catalog-uri=%s
                cordwood.streams=%s
                cordwood.columns=%s
                cordwood.kafka-bootstrap-servers=%s
                cordwood.redis-uri=%s
                cordwood.disk-cache-directory=%s
                """.formatted(
                        catalogUri,
                        String.join(",", streams.streams()),
                        streams.columns().text(),
                        kafka,
                        secrets.isPresent() ? secrets.get().redisUrl(Account.QUERY, redis) : redis,
                        catalogs.resolveSibling("disk-cache")));
        kafkaProperties.ifPresent(file -> properties.append("cordwood.kafka-properties=%s%n".formatted(file)));
        secrets.ifPresent(
                own -> properties.append("""
                cordwood.catalog-token-file=%s
                cordwood.catalog-ca-file=%s
                cordwood.require-record-tokens=true
                """.formatted(own.token(ServiceRole.QUERY.label()), own.authorities())));
        streams.defaultTenant()
                .ifPresent(tenant -> properties.append("cordwood.default-tenant=%s%n".formatted(tenant)));
        AtomicFiles.write(catalogs.resolve("cordwood.properties"), properties.toString());
    }

    private static void copyPlugin(Installation installation, Path directory) throws IOException {
        Path target = installation.root().resolve(PLUGIN_MODULE).resolve("target");
        Path built;
        try (Stream<Path> entries = Files.list(target)) {
            built = entries.filter(Files::isDirectory)
                    .filter(path -> path.getFileName().toString().startsWith(PLUGIN_MODULE + "-"))
                    .findFirst()
                    .orElseThrow(
                            () -> new CordwoodException(
                                    "the Trino plugin is not built: use bin/cordwood, which builds, or ./mvnw -DskipTests package"));
        }
        clear(directory);
        try (Stream<Path> jars = Files.list(built)) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, directory.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void clear(Path directory) throws IOException {
        try (Stream<Path> old = Files.list(directory)) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
    }
}
