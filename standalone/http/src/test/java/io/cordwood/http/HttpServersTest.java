package io.cordwood.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service and its metrics have a port each, and one that cannot start leaves none open. */
class HttpServersTest {
    private static final int ATTEMPTS = 5;
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final Handler SERVICE = answering("service");
    private static final Handler METRICS = answering("metrics");

    @TempDir
    private Path directory;

    @Test
    void serviceAndMetricsHaveAPortEach() throws Exception {
        HttpSettings both = new HttpSettings(HOST, 0, Optional.empty(), OptionalInt.of(0));
        try (HttpServers servers = HttpServers.start(both, SERVICE, METRICS)) {
            assertThat(get(servers.uri())).isEqualTo("service");
            assertThat(get(servers.metricsUri().orElseThrow())).isEqualTo("metrics");
        }
        HttpSettings one = new HttpSettings(HOST, 0, Optional.empty(), OptionalInt.empty());
        try (HttpServers servers = HttpServers.start(one, SERVICE, METRICS)) {
            assertThat(servers.metricsUri()).isEmpty();
        }
    }

    @Test
    void aTakenPortIsNamedAndTheOtherOneIsFreeAgain() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // Another process may take a free port at any moment, but not one after the other
            assertThat(IntStream.range(0, ATTEMPTS).anyMatch(attempt -> isFreeAfterFailure(freePort(), taken)))
                    .isTrue();
        }
    }

    private static boolean isFreeAfterFailure(int port, ServerSocket taken) {
        HttpSettings settings = new HttpSettings(HOST, port, Optional.empty(), OptionalInt.of(taken.getLocalPort()));
        assertThatThrownBy(() -> HttpServers.start(settings, SERVICE, METRICS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot listen on %s:", HOST);
        try {
            HttpServers.start(settings, SERVICE, METRICS);
            return false;
        } catch (IOException e) {
            // The first port could be taken again, so that the second one is the problem
            return e.getMessage().contains("Cannot listen on %s:%d".formatted(HOST, taken.getLocalPort()));
        }
    }

    @Test
    void aServiceDoesNotStartWithoutItsKey() {
        Path missing = directory.resolve("key.pem");
        HttpSettings settings = new HttpSettings(HOST, 0, Optional.of(missing), OptionalInt.empty());
        assertThatThrownBy(() -> HttpServers.start(settings, SERVICE, METRICS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(missing.toString());
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String get(URI uri) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static Handler answering(String text) {
        return new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Reply.text(text).write(request, response, callback);
                return true;
            }
        };
    }
}
