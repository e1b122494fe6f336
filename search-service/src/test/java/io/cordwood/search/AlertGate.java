package io.cordwood.search;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a search service and an Alertmanager, and holds requests or answers, so that the service can be killed
 * there. Thread-safe.
 */
final class AlertGate implements AutoCloseable {
    private final URI alertmanager;
    private final HttpServer server;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger held = new AtomicInteger();
    private volatile Mode mode = Mode.OPEN;

    /** What it does with requests. */
    enum Mode {
        OPEN,
        /** Alertmanager never sees them. */
        HOLD_REQUESTS,
        /** Alertmanager takes them, and the service never hears of it. */
        HOLD_ANSWERS
    }

    AlertGate(URI alertmanager) throws IOException {
        this.alertmanager = alertmanager;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    void set(Mode next) {
        mode = next;
        held.set(0);
    }

    /** The number of requests or answers that it holds since the mode was set. */
    int held() {
        return held.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Mode now = mode;
        try {
            if (now == Mode.HOLD_REQUESTS) {
                held.incrementAndGet();
                return;
            }
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(alertmanager.resolve(exchange.getRequestURI()))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            if (now == Mode.HOLD_ANSWERS) {
                held.incrementAndGet();
                return;
            }
            exchange.sendResponseHeaders(
                    response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
            exchange.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Alertmanager is away
            exchange.sendResponseHeaders(502, -1);
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        http.shutdownNow();
    }
}
