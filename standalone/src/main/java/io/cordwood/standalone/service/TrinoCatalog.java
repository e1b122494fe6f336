package io.cordwood.standalone.service;

import io.cordwood.standalone.CordwoodException;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Trino catalog {@code cordwood}: its plugin and its properties.
 *
 * @param catalogUri the catalog service
 * @param streams the streams, each a table of every tenant
 * @param columns declared columns by stream, {@code name:type,...}
 */
record TrinoCatalog(String catalogUri, List<String> streams, Map<String, String> columns) {
    private static final String PLUGIN_MODULE = "trino-connector";

    void write(Installation installation, Path plugins, Path catalogs) throws IOException {
        copyPlugin(installation, Files.createDirectories(plugins.resolve("cordwood")));
        AtomicFiles.write(catalogs.resolve("cordwood.properties"), """
                connector.name=cordwood
                cordwood.catalog-uri=%s
                cordwood.streams=%s
                cordwood.columns=%s
                """.formatted(
                        catalogUri, String.join(",", streams), StreamLists.join(columns)));
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
