package io.cordwood.catalog.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.http.BodyBudget;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/** The order in which a request is handled, over HTTP. */
class ServiceHandlerTest {
    private static final int BODY_BYTES = 1000;

    @Test
    void aSlowLoginLeavesRoomForWhoIsKnown() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.setHandler(new ServiceHandler(
                List.of(
                        new Route("POST", "/login", Permission.CREDENTIALS, call -> JsonReply.of(Json.object())),
                        new Route("POST", "/work", Permission.PERSON, call -> JsonReply.of(Json.object()))),
                Authenticator.OPEN,
                Refusals.NONE,
                new ServiceMetrics(),
                new BodyBudget(BODY_BYTES, 0, 0, Duration.ofMinutes(1))));
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + connector.getLocalPort());
        List<Socket> slow = new ArrayList<>();
        try {
            assertThat(post(uri + "/login")).isEqualTo(200);
            do {
                assertThat(slow.size()).isLessThan(100);
                slow.add(begin(uri, "/login"));
            } while (post(uri + "/login") != 503);
            assertThat(post(uri + "/work")).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
            server.stop();
        }
    }

    /** Sends all of a body but its last byte. */
    private static Socket begin(URI uri, String path) throws IOException {
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        OutputStream out = socket.getOutputStream();
        out.write("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, BODY_BYTES)
                .getBytes(StandardCharsets.US_ASCII));
        out.write(new byte[BODY_BYTES - 1]);
        return socket;
    }

    private static int post(String uri) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(uri))
                                    .POST(HttpRequest.BodyPublishers.ofString("x".repeat(BODY_BYTES)))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
