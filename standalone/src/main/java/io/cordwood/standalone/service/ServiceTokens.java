package io.cordwood.standalone.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The users of a stack's own parts in its catalog, and their tokens. The first start makes the first operator.
 * Stateless.
 *
 * @param secrets where the tokens are kept
 * @param catalog the catalog's address
 */
record ServiceTokens(Secrets secrets, URI catalog) {
    private static final String OPERATOR = "admin";
    private static final List<ServiceRole> SERVICES =
            List.of(ServiceRole.INGEST, ServiceRole.COMPACTOR, ServiceRole.QUERY, ServiceRole.BALANCER);
    private static final Duration LIFE = Duration.ofDays(365);
    /** A token with less than this left is replaced at the next start. */
    private static final Duration RENEWAL = Duration.ofDays(60);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Makes what is missing; repeating it changes nothing. */
    void issue() throws IOException, InterruptedException {
        PublicKeys keys = SigningKeys.read(secrets.signingKeys()).publicKeys();
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .sslContext(PemFiles.trusting(secrets.authorities()))
                .build()) {
            Calls calls = new Calls(http, catalog);
            if (!Files.exists(secrets.operatorToken())) {
                ObjectNode operator = JSON.createObjectNode().put("user", OPERATOR);
                JsonNode issued = calls.send("POST", "bootstrap", operator, read(secrets.bootstrapToken()));
                keep(secrets.operatorToken(), issued);
            }
            if (!isGood(secrets.operatorToken(), keys)) {
                keep(secrets.operatorToken(), newToken(calls, OPERATOR));
            }
            for (ServiceRole service : SERVICES) {
                if (!isGood(secrets.token(service.label()), keys)) {
                    ObjectNode user = JSON.createObjectNode()
                            .put("name", service.label())
                            .put("operator", false)
                            .put("service", service.label());
                    user.putObject("grants");
                    calls.send("PUT", "users/" + service.label(), user, read(secrets.operatorToken()));
                    keep(secrets.token(service.label()), newToken(calls, service.label()));
                }
            }
        }
    }

    private JsonNode newToken(Calls calls, String user) throws IOException, InterruptedException {
        ObjectNode wish = JSON.createObjectNode().put("expires_seconds", LIFE.toSeconds());
        return calls.send("POST", "users/%s/tokens".formatted(user), wish, read(secrets.operatorToken()));
    }

    private static void keep(Path file, JsonNode issued) {
        AtomicFiles.write(file, issued.path("token").asText() + "\n");
    }

    private static boolean isGood(Path file, PublicKeys keys) throws IOException {
        try {
            return Files.exists(file)
                    && keys.verify(read(file)).expires().isAfter(Instant.now().plus(RENEWAL));
        } catch (InvalidTokenException e) {
            // Of keys that were replaced
            return false;
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    /** Requests to the catalog's own endpoints. */
    private record Calls(HttpClient http, URI catalog) {
        JsonNode send(String method, String path, ObjectNode body, String token)
                throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create("%s/cordwood/v1/%s".formatted(catalog, path)))
                    .timeout(TIMEOUT)
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
                    .build();
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() >= 300) {
                throw new IOException(
                        "the catalog answers %s %s with status %d".formatted(method, path, response.statusCode()));
            }
            return JSON.readTree(response.body());
        }
    }
}
