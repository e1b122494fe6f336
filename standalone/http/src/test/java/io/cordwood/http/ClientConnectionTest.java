package io.cordwood.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server knows when its client has gone while it answers, and loses no byte by asking. */
@Timeout(30)
class ClientConnectionTest {
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final BlockingQueue<ClientConnection> asked = new ArrayBlockingQueue<>(10);
    private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(10);

    private HttpServers servers;

    @BeforeEach
    void start() throws IOException {
        Handler service = new Waiting();
        servers = HttpServers.start(
                new HttpSettings(HOST, 0, Optional.empty(), OptionalInt.empty()), service, new Waiting());
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    /** Answers each request with what the test says, when it says so. */
    private final class Waiting extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            asked.put(ClientConnection.of(request));
            String answer = answers.take();
            Reply.text(answer + " to " + request.getHttpURI().getPath()).write(request, response, callback);
            return true;
        }
    }

    private Socket connect() throws IOException {
        URI uri = servers.uri();
        return new Socket(uri.getHost(), uri.getPort());
    }

    private static void send(Socket client, String requests) throws IOException {
        client.getOutputStream().write(requests.getBytes(US_ASCII));
        client.getOutputStream().flush();
    }

    private static void awaitClosed(ClientConnection connection) {
        while (!connection.isClosedByClient()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aClientThatClosesIsKnown() throws Exception {
        ClientConnection connection;
        try (Socket client = connect()) {
            send(client, "POST /first HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
            connection = asked.take();
            assertThat(connection.isClosedByClient()).isFalse();
        }
        awaitClosed(connection);
        answers.put("too late");
    }

    @Test
    void aClientThatHasSentMoreBeforeItClosesIsKnown() throws Exception {
        ClientConnection connection;
        try (Socket client = connect()) {
            send(client, NEXT);
            connection = asked.take();
            send(client, "GET ");
        }
        awaitClosed(connection);
        answers.put("too late");
    }

    @Test
    void theNextRequestIsAnsweredWhateverWasReadAhead() throws Exception {
        try (Socket client = connect();
                BufferedReader lines = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII))) {
            send(client, "GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n");
            ClientConnection connection = asked.take();
            // Half of it comes while the first one is answered, and is read ahead at some time
            send(client, NEXT.substring(0, 10));
            for (int i = 0; i < 1000; i++) {
                assertThat(connection.isClosedByClient()).isFalse();
            }
            answers.put("first");
            assertThat(body(lines)).isEqualTo("first to /first");
            assertThat(connection.isClosedByClient()).isFalse();
            send(client, NEXT.substring(10));
            // Nothing else reads now, but the server that waits for the request
            while (asked.isEmpty()) {
                assertThat(connection.isClosedByClient()).isFalse();
            }
            answers.put("second");
            assertThat(body(lines)).isEqualTo("second to /next");
        }
        assertThat(asked.poll(1, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void aClientThatClosesIsKnownBelowTls(@TempDir Path directory) throws Exception {
        HttpSettings settings = new HttpSettings(HOST, 0, Optional.of(selfSigned(directory)), OptionalInt.empty());
        SSLContext anyServer = SSLContext.getInstance("TLS");
        anyServer.init(null, new TrustManager[] {new TrustAll()}, null);
        try (HttpServers secured = HttpServers.start(settings, new Waiting(), new Waiting())) {
            ClientConnection connection;
            try (Socket client = anyServer
                    .getSocketFactory()
                    .createSocket(secured.uri().getHost(), secured.uri().getPort())) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
                for (int i = 0; i < 3; i++) {
                    send(client, NEXT);
                    connection = asked.take();
                    assertThat(connection.isClosedByClient()).isFalse();
                    answers.put("one");
                    assertThat(body(lines)).isEqualTo("one to /next");
                }
                send(client, NEXT);
                connection = asked.take();
            }
            awaitClosed(connection);
            answers.put("too late");
        }
    }

    /** A key with its certificate, in PEM. */
    private static Path selfSigned(Path directory) throws Exception {
        String store = directory.resolve("key.p12").toString();
        String password = "changeit";
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-alias",
                        "key",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store,
                        "-storepass",
                        password)
                .inheritIO()
                .start()
                .waitFor();
        KeyStore keys = KeyStore.getInstance(new File(store), password.toCharArray());
        Path pem = directory.resolve("key.pem");
        Files.writeString(
                pem,
                pem("PRIVATE KEY", keys.getKey("key", password.toCharArray()).getEncoded())
                        + pem("CERTIFICATE", keys.getCertificate("key").getEncoded()));
        return pem;
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(content), type);
    }

    /** Takes any certificate: the test is about connections. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authority) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authority) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static String body(BufferedReader lines) throws IOException {
        while (!lines.readLine().isEmpty()) {
            // Headers
        }
        char[] body = new char[64];
        return new String(body, 0, lines.read(body));
    }
}
