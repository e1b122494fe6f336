package io.cordwood.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Installation;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IcebergCatalogTest {
    @TempDir
    private Path directory;

    private Installation installation;
    private Path plugins;
    private Path catalogs;

    @BeforeEach
    void makeDirectories() throws Exception {
        installation = new Installation(directory);
        plugins = Files.createDirectories(directory.resolve("plugins"));
        catalogs = Files.createDirectories(directory.resolve("catalogs"));
    }

    private void fetch() throws Exception {
        Path target = Files.createDirectories(directory.resolve("standalone/trino-iceberg/target"));
        Path jar = Files.writeString(directory.resolve("trino-iceberg.jar"), "");
        Files.writeString(target.resolve("classpath.txt"), jar + "\n");
    }

    @Test
    void isWrittenAsOftenAsTheStackStarts() throws Exception {
        fetch();
        for (int start = 0; start < 2; start++) {
            new IcebergCatalog("http://127.0.0.1:8181", "file:///warehouse", S3Settings.DEFAULTS, Optional.empty())
                    .write(installation, plugins, catalogs);

            assertThat(plugins.resolve("iceberg/trino-iceberg.jar")).isSymbolicLink();
            assertThat(plugins.resolve("iceberg/cordwood-services.jar")).isNotEmptyFile();
            assertThat(catalogs.resolve("iceberg.properties"))
                    .content()
                    .contains("connector.name=iceberg\n", "iceberg.rest-catalog.uri=http://127.0.0.1:8181\n");
        }
    }

    @Test
    void isToldWhereTheStoreIs() throws Exception {
        fetch();
        new IcebergCatalog(
                        "http://127.0.0.1:8181",
                        "s3://bucket/logs",
                        new S3Settings(Optional.of(URI.create("http://127.0.0.1:9000")), Optional.of("here"), true),
                        Optional.empty())
                .write(installation, plugins, catalogs);

        assertThat(catalogs.resolve("iceberg.properties"))
                .content()
                .contains(
                        "fs.s3.enabled=true\n",
                        "s3.endpoint=http://127.0.0.1:9000\n",
                        "s3.region=here\n",
                        "s3.path-style-access=true\n")
                .doesNotContain("fs.local");
    }

    @Test
    void isRemovedWhenNotRequested() throws Exception {
        fetch();
        new IcebergCatalog("http://127.0.0.1:8181", "file:///warehouse", S3Settings.DEFAULTS, Optional.empty())
                .write(installation, plugins, catalogs);

        IcebergCatalog.remove(plugins, catalogs);

        assertThat(plugins).isEmptyDirectory();
        assertThat(catalogs).isEmptyDirectory();
        assertThat(directory.resolve("trino-iceberg.jar")).exists();
    }

    @Test
    void connectorThatWasNotFetchedIsOneLine() {
        assertThatThrownBy(() -> IcebergCatalog.check(installation))
                .isInstanceOf(CordwoodException.class)
                .message()
                .contains("./mvnw -pl standalone/trino-iceberg package")
                .doesNotContain("\n");
    }
}
