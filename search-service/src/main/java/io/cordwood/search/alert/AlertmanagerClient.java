package io.cordwood.search.alert;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests to one Alertmanager, whose answers are bounded in time and size. Thread-safe. */
final class AlertmanagerClient {
    private static final int MAX_BODY = 1024 * 1024;
    private static final int MAX_TEXT = 500;

    private final URI uri;
    private final HttpClient http;

    AlertmanagerClient(URI uri, HttpClient http) {
        this.uri = uri;
        this.http = http;
    }

    /**
     * An answer.
     *
     * @param text the beginning of its body, for logs
     */
    record Response(int status, String text) {}

    /** There is no answer in time, or none that can be read, or no request can be made. */
    static final class NoAnswerException extends Exception {
        private static final long serialVersionUID = 1;

        private NoAnswerException(String message, Throwable cause) {
            super(cut(message), cause);
        }
    }

    /**
     * Sends alerts.
     *
     * @param limit for the whole answer
     */
    Response post(String body, Duration limit) throws NoAnswerException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer = send(body, limit);
        try {
            HttpResponse<String> response = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return new Response(response.statusCode(), cut(response.body()));
        } catch (TimeoutException e) {
            throw new NoAnswerException("no answer in " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new NoAnswerException(String.valueOf(e.getCause()), e);
        } finally {
            // Ends the exchange, unless it has ended
            answer.cancel(true);
        }
    }

    private CompletableFuture<HttpResponse<String>> send(String body, Duration limit) throws NoAnswerException {
        try {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .timeout(limit)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return http.sendAsync(
                    request,
                    HttpResponse.BodyHandlers.limiting(
                            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8), MAX_BODY));
        } catch (RuntimeException e) {
            throw new NoAnswerException(e.toString(), e);
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }
}
