package io.cordwood.trino.login;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginConfigTest {
    @Test
    void defaults() {
        assertRecordedDefaults(recordDefaults(LoginConfig.class)
                .setCatalogUri(null)
                .setCatalogTokenFile(null)
                .setCatalogCaFile(null));
    }

    @Test
    void explicitProperties(@TempDir Path directory) throws IOException {
        File token = Files.createFile(directory.resolve("query.token")).toFile();
        File ca = Files.createFile(directory.resolve("ca.pem")).toFile();
        LoginConfig expected = new LoginConfig()
                .setCatalogUri(URI.create("https://127.0.0.1:8181"))
                .setCatalogTokenFile(token)
                .setCatalogCaFile(ca);
        assertFullMapping(
                Map.of(
                        "cordwood.catalog-uri", "https://127.0.0.1:8181",
                        "cordwood.catalog-token-file", token.toString(),
                        "cordwood.catalog-ca-file", ca.toString()),
                expected);
        assertThat(expected.clientProperties())
                .containsOnly(Map.entry("token-file", token.toString()), Map.entry("ca-file", ca.toString()));
    }
}
