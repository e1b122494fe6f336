package io.cordwood.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By which names an open service on loopback is called, and by whose pages. */
class SiteGuardTest {
    private HttpServers server;

    @BeforeEach
    void start() throws IOException {
        Handler guarded = new SiteGuard(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        Reply.json("{}").write(request, response, callback);
                        return true;
                    }
                },
                Set.of("logs.example.com"),
                refusal -> Reply.plain(refusal.status(), refusal.getMessage()));
        server = HttpServers.start(
                new HttpSettings("127.0.0.1", 0, Optional.empty(), OptionalInt.empty()), guarded, guarded);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** The status of a request with these lines in its head. */
    private String status(String... head) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            String request = "GET / HTTP/1.1\r\n" + String.join("\r\n", head) + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII).substring(9, 12);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LOCALHOST:8095", "127.0.0.1", "127.8.9.1:80", "[::1]:8095", "logs.example.com:1"})
    void ownNamesAreKnown(String host) throws IOException {
        assertThat(status("Host: " + host)).isEqualTo("200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8095",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "xlocalhost",
                "10.0.0.1",
                "logs.example.com.evil.example"
            })
    void otherNamesAreNot(String host) throws IOException {
        assertThat(status("Host: " + host)).isEqualTo("421");
    }

    @Test
    void onlyTheServicesOwnPageMayAsk() throws IOException {
        assertThat(status("Host: localhost:1", "Origin: http://localhost:1")).isEqualTo("200");
        assertThat(status("Host: localhost:1", "Origin: http://localhost:2")).isEqualTo("403");
        assertThat(status("Host: localhost:1", "Origin: http://evil.example")).isEqualTo("403");
        assertThat(status("Host: localhost:1", "Origin: http://evil.example/localhost:1"))
                .isEqualTo("403");
        assertThat(status("Host: localhost:1", "Origin: null")).isEqualTo("403");
    }
}
