package io.cordwood.catalog.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.access.Polled;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.services.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests of the client beside services that restart, fall silent or refuse. */
@Timeout(60)
class CatalogHttpTest {
    @Test
    void aRestartOfTheServiceIsNotNoticed(@TempDir Path directory) throws Exception {
        CatalogServer first = start(directory, FreePort.choose());
        URI uri = first.uri();
        try (CatalogHttp http = new CatalogHttp(uri, Optional.empty())) {
            assertThat(http.get("tenants").path("tenants")).isEmpty();
            first.close();
            // A process takes longer to start.
            Thread.sleep(200);
            try (CatalogServer second = start(directory, uri.getPort())) {
                assertThat(second.uri()).isEqualTo(uri);
                assertThat(http.json("POST", "streams/logs/pointers", Json.object())
                                .path("tables"))
                        .isEmpty();
            }
        }
    }

    private static CatalogServer start(Path directory, int port) throws IOException {
        return CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                port,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
    }

    @Test
    void noRequestIsRepeated() throws Exception {
        for (String answer : new String[] {
            "", "HTTP/1.1 503 Unavailable\r\nRetry-After: 0\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        }) {
            AtomicInteger requests = new AtomicInteger();
            CompletableFuture<Void> serving;
            try (ServerSocket server = listen();
                    CatalogHttp http = new CatalogHttp(uri(server), Optional.empty())) {
                serving = CompletableFuture.runAsync(() -> serve(server, answer, requests));
                assertThatThrownBy(() -> http.get("tenants")).isInstanceOf(CatalogException.class);
                assertThatThrownBy(() -> http.send("POST", "tables", Json.object()))
                        .isInstanceOf(CatalogException.class);
            }
            serving.join();
            assertThat(requests).as("requests answered by '%s'", answer).hasValue(2);
        }
    }

    @Test
    void aCommitAsksForNoTable() throws Exception {
        List<String> headers = new CopyOnWriteArrayList<>();
        try (ServerSocket server = listen();
                CatalogHttp http = new CatalogHttp(uri(server), Optional.empty())) {
            CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> serve(
                    server, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", new AtomicInteger(), headers));
            http.commit("v1/namespaces/acme/tables/logs", "{}");
        }
        assertThat(headers).contains("Prefer: return=minimal");
    }

    /** Answers every request by this and closes its connection. */
    private static void serve(ServerSocket server, String answer, AtomicInteger requests) {
        serve(server, answer, requests, new ArrayList<>());
    }

    private static void serve(ServerSocket server, String answer, AtomicInteger requests, List<String> headers) {
        while (true) {
            try (Socket socket = server.accept()) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
                String line = lines.readLine();
                while (line != null && !line.isEmpty()) {
                    headers.add(line);
                    line = lines.readLine();
                }
                requests.incrementAndGet();
                try (OutputStream out = socket.getOutputStream()) {
                    out.write(answer.getBytes(US_ASCII));
                }
            } catch (IOException e) {
                return;
            }
        }
    }

    /** Of several services one may be cut off: rules of tokens that are older than ten seconds let nobody in. */
    @Test
    void aPollDoesNotWaitForAServiceThatFellSilent() throws Exception {
        try (ServerSocket server = listen();
                CatalogHttp http = new CatalogHttp(uri(server), Optional.empty())) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> http.poll("token-rules"))
                    .isInstanceOf(CatalogException.class)
                    .hasMessageContaining("No answer from the catalog to GET");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofSeconds(2), Polled.MAX_AGE);
        }
    }

    /** Each connection is silent after its first answer, as those to a service that is cut off. */
    @Test
    void aPollThatWasInVainIsRepeatedOnANewConnection() throws Exception {
        List<Socket> accepted = new CopyOnWriteArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool();
                ServerSocket server = listen();
                CatalogHttp http = new CatalogHttp(uri(server), Optional.empty())) {
            CountDownLatch both = new CountDownLatch(2);
            Future<?> serving = threads.submit(() -> answerOnce(server, accepted, threads, both));
            Future<JsonNode> other = threads.submit(() -> http.get("tenants"));
            assertThat(http.get("tenants")).isEmpty();
            assertThat(other.get()).isEmpty();
            assertThatThrownBy(() -> http.poll("token-rules")).isInstanceOf(CatalogException.class);
            assertThat(http.poll("token-rules")).isEmpty();
            assertThat(accepted).hasSize(3);
            assertThat(serving).isNotDone();
        } finally {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    /** Answers the first request of each connection, the first two at once. */
    private static void answerOnce(
            ServerSocket server, List<Socket> accepted, ExecutorService threads, CountDownLatch both) {
        while (true) {
            try {
                Socket socket = server.accept();
                accepted.add(socket);
                Future<?> unused = threads.submit(() -> {
                    BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
                    String line = lines.readLine();
                    while (line != null && !line.isEmpty()) {
                        line = lines.readLine();
                    }
                    both.countDown();
                    both.await();
                    socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(US_ASCII));
                    return null;
                });
            } catch (IOException e) {
                return;
            }
        }
    }

    @Test
    void closeEndsARequestThatWaits() throws Exception {
        try (ServerSocket server = listen()) {
            CatalogHttp http = new CatalogHttp(uri(server), Optional.empty());
            endsARequestThatWaits(server, http, waiting -> http.close());
            assertThatThrownBy(() -> http.get("tenants")).isInstanceOf(CatalogException.class);
        }
    }

    @Test
    void anInterruptEndsARequestThatWaits() throws Exception {
        try (ServerSocket server = listen();
                CatalogHttp http = new CatalogHttp(uri(server), Optional.empty())) {
            endsARequestThatWaits(server, http, Thread::interrupt);
        }
    }

    private static void endsARequestThatWaits(ServerSocket server, CatalogHttp http, Consumer<Thread> end)
            throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread waiting = new Thread(() -> failure.set(catchThrowable(() -> http.get("tenants"))));
        waiting.start();
        try (Socket socket = server.accept()) {
            // It has sent its request, and now waits for an answer.
            assertThat(socket.getInputStream().read()).isPositive();
            end.accept(waiting);
            waiting.join();
        }
        assertThat(failure.get())
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining("No answer from the catalog to GET");
    }

    @Test
    void anInterruptedThreadAsksNothing() throws IOException {
        try (ServerSocket server = listen();
                CatalogHttp http = new CatalogHttp(uri(server), Optional.empty())) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> http.get("tenants"))
                    .isInstanceOf(CatalogException.class)
                    .hasMessageContaining("Interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    private static URI uri(ServerSocket server) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }
}
