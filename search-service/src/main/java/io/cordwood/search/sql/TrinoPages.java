package io.cordwood.search.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.search.http.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of one statement's result, by the protocol of Trino's clients. Closed before its end, it cancels the
 * statement. Not thread-safe.
 */
final class TrinoPages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrinoPages.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Trino aims at 1 MB; a page is larger only if a row is. */
    private static final int MAX_PAGE_BYTES = 4 << 20;

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final long BUSY_MILLIS = 100;

    private final HttpClient http;
    private final URI trino;
    private final Semaphore parsing;
    private final Map<String, String> headers;
    private final long deadline;
    private boolean isParsed;
    private Optional<URI> next = Optional.empty();
    private Optional<String> startedTransaction = Optional.empty();

    /**
     * A statement that begins with its first page.
     *
     * @param trino the coordinator
     * @param parsing held while a page is in memory as objects: from its arrival until the next one is asked for
     * @param headers of all requests: who asks, and the session
     * @param deadline when it is cancelled, by {@link System#nanoTime}
     */
    TrinoPages(HttpClient http, URI trino, Semaphore parsing, Map<String, String> headers, long deadline) {
        this.http = http;
        this.trino = trino;
        this.parsing = parsing;
        this.headers = headers;
        this.deadline = deadline;
    }

    /** Begins the statement. Returns its first page. @throws ApiException if Trino refuses it */
    JsonNode begin(String sql) throws InterruptedException {
        // Trino answers a login that it refuses before it has read the statement, and then cuts the connection
        return page(request(trino.resolve("/v1/statement"))
                .expectContinue(true)
                .POST(BodyPublishers.ofString(sql))
                .build());
    }

    /** The next page; empty at the end. @throws ApiException if the statement fails */
    Optional<JsonNode> next() throws InterruptedException {
        return next.isPresent() ? Optional.of(page(request(next.get()).GET().build())) : Optional.empty();
    }

    /** Runs a statement without rows to its end. @throws ApiException if it fails */
    void run(String sql) throws InterruptedException {
        begin(sql);
        Optional<JsonNode> page = next();
        while (page.isPresent()) {
            page = next();
        }
    }

    /** The transaction that the statement has started. */
    Optional<String> startedTransaction() {
        return startedTransaction;
    }

    private HttpRequest.Builder request(URI uri) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(REQUEST_TIMEOUT);
        headers.forEach(request::header);
        return request;
    }

    private JsonNode page(HttpRequest request) throws InterruptedException {
        releaseParsed();
        try {
            HttpResponse<InputStream> response = send(request);
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    throw refused(response.statusCode());
                }
                byte[] bytes = body.readNBytes(MAX_PAGE_BYTES + 1);
                if (bytes.length > MAX_PAGE_BYTES) {
                    throw new ApiException(
                            422, "limit_exceeded", "The rows are too large: select fewer columns, or parts of texts");
                }
                parsing.acquire();
                isParsed = true;
                return page(response, JSON.readTree(bytes));
            }
        } catch (IOException e) {
            LOG.warn("Trino does not answer", e);
            throw new ApiException(503, "unavailable", "Trino does not answer as it should: try again");
        }
    }

    private void releaseParsed() {
        if (isParsed) {
            isParsed = false;
            parsing.release();
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request) throws IOException, InterruptedException {
        while (true) {
            if (System.nanoTime() - deadline > 0) {
                throw new ApiException(
                        408, "limit_exceeded", "The query took too long and was cancelled: ask for less time");
            }
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            // The protocol's word for: ask again
            if (response.statusCode() != 503) {
                return response;
            }
            response.body().close();
            TimeUnit.MILLISECONDS.sleep(BUSY_MILLIS);
        }
    }

    private JsonNode page(HttpResponse<?> response, JsonNode page) {
        response.headers()
                .firstValue("X-Trino-Started-Transaction-Id")
                .ifPresent(id -> startedTransaction = Optional.of(id));
        // Only the path: the token goes nowhere else
        next = Optional.ofNullable(page.path("nextUri").textValue())
                .map(URI::create)
                .map(uri -> trino.resolve(uri.getRawPath()));
        JsonNode error = page.path("error");
        if (!error.isMissingNode()) {
            throw new ApiException(
                    400,
                    "invalid_sql",
                    "%s (%s)"
                            .formatted(
                                    error.path("message").asText("The query failed"),
                                    error.path("errorName").asText("no name")));
        }
        return page;
    }

    private static ApiException refused(int status) {
        return switch (status) {
            case 401, 403 ->
                new ApiException(
                        403,
                        "forbidden",
                        "Trino does not take this token: a token that is limited to a tenant is no login there");
            case 429 -> new ApiException(429, "too_many_requests", "Trino has too many queries: try again later");
            default ->
                new ApiException(503, "unavailable", "Trino answers with status %d: try again".formatted(status));
        };
    }

    @Override
    public void close() {
        releaseParsed();
        if (next.isEmpty()) {
            return;
        }
        try {
            http.send(request(next.get()).DELETE().build(), BodyHandlers.discarding());
        } catch (IOException e) {
            LOG.debug("Trino ends the query by itself, as its client asks for no more pages", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
