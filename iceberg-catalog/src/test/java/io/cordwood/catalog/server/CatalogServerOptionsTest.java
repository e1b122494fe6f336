package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.server.storage.StorageRole;
import io.cordwood.identity.OpenIdProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class CatalogServerOptionsTest {
    @Test
    void defaults() {
        assertThat(parse("--jdbc-url jdbc:sqlite:/a/c.db --warehouse /a/w"))
                .isEqualTo(new CatalogServerOptions("127.0.0.1", 8181, "jdbc:sqlite:/a/c.db", "file:///a/w", Map.of()));
    }

    @Test
    void everyOption() {
        assertThat(parse("--jdbc-url jdbc:postgresql://h/d --warehouse s3://b/p --host 0.0.0.0 --port 0"
                        + " --property io-impl=X --property s3.endpoint=http://e/?a=b --bootstrap-token-file /s/b"
                        + " --signing-keys /s/k --issuer https://sso/realms/a --issuer-audience lake"
                        + " --issuer-user-claim email --tls-keystore /s/t --metrics-port 9000"
                        + " --sts-role-arn arn:aws:iam::1:role/r --sts-endpoint https://sts"))
                .isEqualTo(new CatalogServerOptions(
                        "0.0.0.0",
                        0,
                        "jdbc:postgresql://h/d",
                        "s3://b/p",
                        Map.of("io-impl", "X", "s3.endpoint", "http://e/?a=b"),
                        Optional.of(new CatalogServerOptions.Authentication(
                                Path.of("/s/b"),
                                Path.of("/s/k"),
                                Optional.of(new OpenIdProvider.Settings(
                                        URI.create("https://sso/realms/a"), "lake", "email")))),
                        Optional.of(Path.of("/s/t")),
                        OptionalInt.of(9000),
                        Optional.of(new StorageRole("arn:aws:iam::1:role/r", Optional.of(URI.create("https://sts"))))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "127.8.8.8"})
    void withoutAuthenticationItListensOnThisMachine(String host) {
        assertThat(parse("--jdbc-url jdbc:sqlite:x --warehouse /w --host " + host)
                        .host())
                .isEqualTo(host);
    }

    @Test
    void urlWithAPasswordMayStandInAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("url"), "jdbc:postgresql://h/d?user=u&password=p\n");
        assertThat(parse("--jdbc-url-file " + file + " --warehouse /w").jdbcUrl())
                .isEqualTo("jdbc:postgresql://h/d?user=u&password=p");
    }

    @Test
    void oneDatabaseIsGivenInOneWay(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("url"), "jdbc:sqlite:a");
        assertThatThrownBy(() -> parse("--jdbc-url jdbc:sqlite:b --warehouse /w --jdbc-url-file " + file))
                .hasMessageContaining("give either --jdbc-url or --jdbc-url-file");
        assertThat(parse("--jdbc-url jdbc:sqlite:a --warehouse /w --jdbc-url jdbc:sqlite:b")
                        .jdbcUrl())
                .isEqualTo("jdbc:sqlite:b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--warehouse /w ; give either --jdbc-url or --jdbc-url-file",
                "--jdbc-url jdbc:sqlite:x --jdbc-url-file /f --warehouse /w ; cannot read /f",
                "--jdbc-url jdbc:sqlite:x ; --warehouse",
                "--jdbc-url mysql --warehouse /w ; 'mysql' is not a jdbc:sqlite: or jdbc:postgresql: URL",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --port x ; 'x' is not a whole number from 0 to 65535",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --port 70000 ; '70000' is not a whole number",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --property x ; KEY=VALUE",
                "--jdbc-url-file /not/there --warehouse /w ; cannot read /not/there",
                "--jdbc-url ; Missing required",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --sts-role-arn role/r ; 'role/r' is not an ARN",
                "--jdbc-url jdbc:sqlite:x --warehouse s3://b/w --sts-role-arn arn:a:b ; needs a warehouse in S3",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --sts-endpoint http://sts ; --sts-endpoint goes with",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --verbose ; --verbose",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --host 0.0.0.0 ; other machines reach the address 0.0.0.0",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --host :: ; other machines reach the address ::",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --signing-keys k ; go together",
                "--jdbc-url jdbc:sqlite:x --warehouse /w --bootstrap-token-file b ; go together",
            })
    void saysWhatIsWrong(String arguments, String message) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aPortInUseIsOneClearMessage(@TempDir Path directory) throws IOException {
        String url = "jdbc:sqlite:" + directory.resolve("catalog.db");
        try (CatalogServer first = CatalogServer.start(new CatalogServerOptions("127.0.0.1", 0, url, "/w", Map.of()))) {
            int port = first.uri().getPort();
            assertThatThrownBy(
                            () -> CatalogServer.start(new CatalogServerOptions("127.0.0.1", port, url, "/w", Map.of())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Cannot listen on 127.0.0.1:" + port);
        }
    }

    @Command
    private static final class Line {
        @Mixin
        private CatalogServerFlags flags;
    }

    private static CatalogServerOptions parse(String arguments) {
        Line line = new Line();
        new CommandLine(line).setOverwrittenOptionsAllowed(true).parseArgs(arguments.split(" "));
        return line.flags.options();
    }
}
