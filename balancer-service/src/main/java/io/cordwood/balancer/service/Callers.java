package io.cordwood.balancer.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.identity.BearerHeader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;

/**
 * Who may use the API: operators and services of the lake. The catalog says who the bearer of a token is; its answer
 * holds for two seconds, so that a revoked token is refused soon. Thread-safe.
 */
final class Callers implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long ANSWER_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int MOST_ANSWERS = 1_000;
    private static final int ALLOWED = 200;
    private static final int UNAUTHENTICATED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;

    private record Answer(int status, long nanos) {}

    private final URI whoami;
    private final HttpClient http;
    /** By the token's hash, so that no token stays in memory. */
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** @param catalog address of the catalog service */
    Callers(URI catalog, SSLContext tls) {
        whoami = URI.create(requireNonNull(catalog, "catalog is null") + "/cordwood/v1/whoami");
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .sslContext(tls)
                .build();
    }

    /**
     * The status with which to answer: 200 if the caller may use the API, 401 without a good token, 403 for other
     * users, 503 if the catalog does not answer.
     *
     * @param authorization the header of the request
     */
    int status(Optional<String> authorization) {
        Optional<String> token = authorization.flatMap(BearerHeader::token);
        if (token.isEmpty() || !token.get().matches("[A-Za-z0-9._~+/=-]+")) {
            return UNAUTHENTICATED;
        }
        String hash = hash(token.get());
        long now = System.nanoTime();
        Answer known = answers.get(hash);
        if (known != null && now - known.nanos() < ANSWER_NANOS) {
            return known.status();
        }
        int status = ask(token.get());
        if (status == ALLOWED || status == FORBIDDEN) {
            if (answers.size() >= MOST_ANSWERS) {
                answers.clear();
            }
            answers.put(hash, new Answer(status, now));
        }
        return status;
    }

    private int ask(String token) {
        HttpRequest request = HttpRequest.newBuilder(whoami)
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return switch (response.statusCode()) {
                case ALLOWED -> mayUse(JSON.readTree(response.body())) ? ALLOWED : FORBIDDEN;
                case UNAUTHENTICATED -> UNAUTHENTICATED;
                default -> UNAVAILABLE;
            };
        } catch (IOException e) {
            return UNAVAILABLE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNAVAILABLE;
        }
    }

    private static boolean mayUse(JsonNode caller) {
        return caller.path("operator").asBoolean()
                || !caller.path("service").asText("").isEmpty();
    }

    private static String hash(String token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has no SHA-256", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
