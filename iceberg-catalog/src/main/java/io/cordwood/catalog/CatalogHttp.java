package io.cordwood.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Requests to the service: to its own endpoints by default. Thread-safe. */
final class CatalogHttp implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Covers the database's busy timeout. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            // Who sends waits for the answer: handing it from thread to thread would take as long as reading it.
            .executor(Runnable::run)
            .build();
    private static final String OURS = "cordwood/v1/";

    private final String base;
    private final Optional<String> token;

    CatalogHttp(URI uri, Optional<String> token) {
        this.base = uri.toString().replaceFirst("/+$", "") + "/";
        this.token = token;
    }

    /** Text as a segment of a path. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    JsonNode get(String path) {
        return CatalogJson.parse(send(request(OURS + path).GET().build()));
    }

    JsonNode json(String method, String path, JsonNode body) {
        return CatalogJson.parse(sendBytes(method, path, body));
    }

    String send(String method, String path, JsonNode body) {
        return new String(sendBytes(method, path, body), StandardCharsets.UTF_8);
    }

    private byte[] sendBytes(String method, String path, JsonNode body) {
        return sendJson(method, OURS + path, CatalogJson.bytes(body));
    }

    private byte[] sendJson(String method, String path, byte[] json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofByteArray(json))
                .build());
    }

    /** What one of Iceberg's endpoints answers, by its path. */
    byte[] iceberg(String path) {
        return send(request(path).GET().build());
    }

    /** What one of Iceberg's endpoints answers to JSON. */
    byte[] iceberg(String path, String json) {
        return sendJson("POST", path, json.getBytes(StandardCharsets.UTF_8));
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(ANSWER_TIMEOUT);
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }

    private byte[] send(HttpRequest request) {
        HttpResponse<byte[]> response;
        try {
            response = client.send(request, BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new CatalogException(
                    "No answer from the catalog to %s %s: %s".formatted(request.method(), request.uri(), e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CatalogException(
                    "Interrupted while waiting for the catalog to answer %s".formatted(request.uri()), e);
        }
        if (response.statusCode() >= 300) {
            throw new CatalogException(
                    response.statusCode(),
                    "The catalog refused %s %s with status %d: %s"
                            .formatted(request.method(), request.uri(), response.statusCode(), problem(response)));
        }
        return response.body();
    }

    private static String problem(HttpResponse<byte[]> response) {
        try {
            return CatalogJson.text(CatalogJson.parse(response.body()).path("error"), "message");
        } catch (IllegalArgumentException e) {
            return new String(response.body(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
