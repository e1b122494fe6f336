package io.cordwood.catalog.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.identity.TenantRole;
import io.cordwood.services.FreePort;
import java.io.BufferedReader;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logins with the access tokens of a certified OpenID provider, oidc-provider from npm. Slow: npm downloads it. */
@Timeout(300)
class OpenIdProviderIT {
    private static final String AUDIENCE = "urn:cordwood";

    @TempDir
    private Path directory;

    @Test
    @Tag("slow")
    void anAccessTokenOfTheProviderIsExchanged() throws Exception {
        assumeThat(onPath("npm")).as("npm is on PATH").isTrue();
        Path home = Files.createDirectories(Path.of("target/openid-provider"));
        for (String file : new String[] {"package.json", "provider.mjs"}) {
            Files.write(home.resolve(file), Files.readAllBytes(Path.of("src/test/openid-provider", file)));
        }
        Process npm = new ProcessBuilder("npm", "install", "--no-audit", "--no-fund")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("npm.log").toFile())
                .start();
        assertThat(npm.waitFor()).isZero();
        int port = FreePort.choose();
        Process provider = new ProcessBuilder("node", "provider.mjs", Integer.toString(port))
                .directory(home.toFile())
                .redirectError(home.resolve("provider.log").toFile())
                .start();
        try (BufferedReader out = provider.inputReader()) {
            assertThat(out.readLine()).startsWith("listening on");
            exchange(URI.create("http://127.0.0.1:" + port));
        } finally {
            provider.destroyForcibly().waitFor();
        }
    }

    private void exchange(URI issuer) throws Exception {
        try (SecuredService service = new SecuredService(
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory,
                new OpenIdProvider.Settings(issuer, AUDIENCE, "sub"))) {
            service.admin.putUser(User.person("ann", Map.of("acme", Set.of(TenantRole.READER))));
            String own = CatalogClient.exchange(service.server.uri(), Map.of(), token(issuer, AUDIENCE))
                    .token();
            assertThat(service.client(own).whoami().user().name()).isEqualTo("ann");
            String ofOthers = token(issuer, "urn:others");
            assertThat(service.form("grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token="
                                    + ofOthers)
                            .body())
                    .contains("invalid_grant", "aud");
        }
    }

    private static String token(URI issuer, String audience) throws Exception {
        String secret = Base64.getEncoder().encodeToString("ann:a-secret-of-ann".getBytes(UTF_8));
        HttpRequest request = HttpRequest.newBuilder(issuer.resolve("/token"))
                .header("Authorization", "Basic " + secret)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "grant_type=client_credentials&scope=logs&resource=" + audience))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            return Json.text(Json.parse(answer.body()), "access_token");
        }
    }

    private static boolean onPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
