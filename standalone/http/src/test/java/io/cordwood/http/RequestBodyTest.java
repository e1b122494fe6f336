package io.cordwood.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies are read within their limit and the budget, and a refused client gets the response, over HTTP. */
class RequestBodyTest {
    private static final int LIMIT = 100_000;
    /** More than the buffers of a connection hold. */
    private static final int LARGE = 64 << 20;

    private HttpServers servers;

    /** Answers with the body. */
    private static final class Echo extends Handler.Abstract {
        private final BodyBudget budget = new BodyBudget(BodyBudget.SMALL_BYTES, 0, LIMIT, Duration.ofMinutes(1));

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            Sender sender = request.getHttpURI().getPath().equals("/person") ? Sender.PERSON : Sender.SERVICE;
            Reply reply;
            try (BodyBudget.Hold held = budget.hold(sender)) {
                reply = Reply.json(RequestBody.read(request, LIMIT, held));
            } catch (RefusedBodyException e) {
                reply = Reply.json(e.status(), e.getMessage());
            }
            reply.write(request, response, callback);
            return true;
        }
    }

    @BeforeEach
    void start() throws IOException {
        servers = HttpServers.start(
                new HttpSettings(
                        InetAddress.getLoopbackAddress().getHostAddress(), 0, Optional.empty(), OptionalInt.empty()),
                new Echo(),
                new Handler.Abstract.NonBlocking() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        return false;
                    }
                });
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    @Test
    void aBodyIsReadUpToItsLimitAlsoIfItsLengthIsUnknown() throws Exception {
        String largest = "x".repeat(LIMIT);
        assertThat(post("/", BodyPublishers.ofString(largest)).body()).isEqualTo(largest);
        assertThat(post("/", BodyPublishers.ofString(largest + "x")).statusCode())
                .isEqualTo(413);
        assertThat(post("/", ofUnknownLength(LIMIT)).statusCode()).isEqualTo(200);
        assertThat(post("/", ofUnknownLength(LIMIT + 1)).statusCode()).isEqualTo(413);
    }

    @Test
    void aBodyBeyondTheBudgetOfItsSenderIsRefused() throws Exception {
        assertThat(post("/person", BodyPublishers.ofString("x".repeat(BodyBudget.SMALL_BYTES)))
                        .statusCode())
                .isEqualTo(200);
        assertThat(post("/person", BodyPublishers.ofString("x".repeat(BodyBudget.SMALL_BYTES + 1)))
                        .statusCode())
                .isEqualTo(503);
    }

    @Test
    void aClientThatSendsAllOfARefusedBodyFirstGetsTheResponse() throws Exception {
        byte[] chunk = new byte[64 << 10];
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), servers.uri().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                    .formatted(LARGE)
                    .getBytes(StandardCharsets.US_ASCII));
            for (int sent = 0; sent < LARGE; sent += chunk.length) {
                out.write(chunk);
            }
            assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine())
                    .isEqualTo("HTTP/1.1 413 Payload Too Large");
        }
    }

    private static BodyPublisher ofUnknownLength(int bytes) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[bytes]));
    }

    private HttpResponse<String> post(String path, BodyPublisher body) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(servers.uri().resolve(path))
                            .POST(body)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
