package io.cordwood.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/** A webhook that Alertmanager notifies. Thread-safe. */
final class AlertReceiver implements AutoCloseable {
    private final HttpServer server;
    private final Queue<JsonNode> notifications = new ConcurrentLinkedQueue<>();

    AlertReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        notifications.add(
                SearchFixture.parse(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** The configuration of an Alertmanager that notifies this about each rule alone, at once and once. */
    String configuration() {
        return """
            route:
              receiver: test
              group_by: [alertname, tenant]
              group_wait: 0s
              group_interval: 1s
              repeat_interval: 24h
            receivers:
              - name: test
                webhook_configs:
                  - url: http://127.0.0.1:%d/
                    send_resolved: true
            """.formatted(server.getAddress().getPort());
    }

    /** Notifications of a rule with a status, {@code firing} or {@code resolved}. */
    List<JsonNode> of(String rule, String status) {
        return notifications.stream()
                .filter(notification -> notification.path("status").asText().equals(status)
                        && notification
                                .path("groupLabels")
                                .path("alertname")
                                .asText()
                                .equals(rule))
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
