package io.cordwood.standalone.service;

import io.cordwood.identity.PemFiles;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;

/** Probes that a ready service answers. Thread-safe. */
final class Probes {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    /** Clients of stacks with authentication. */
    private static final Map<Secrets, HttpClient> CLOSED = new ConcurrentHashMap<>();

    private Probes() {}

    /** The body of an answer with status 200. @throws IOException if there is no such answer */
    static String get(String url) throws IOException, InterruptedException {
        return get(HTTP, url);
    }

    /** Like {@link #get(String)}, of a service with TLS in a stack that has secrets. */
    static String get(String url, Optional<Secrets> secrets) throws IOException, InterruptedException {
        if (secrets.isEmpty()) {
            return get(url);
        }
        HttpClient known = CLOSED.get(secrets.get());
        if (known == null) {
            // Made once: reading keys and shaking hands at every probe would take longer than the answer
            known = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TIMEOUT)
                    .sslContext(secrets.get().operatorTls())
                    .build();
            CLOSED.put(secrets.get(), known);
        }
        return get(known, url);
    }

    private static String get(HttpClient http, String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(TIMEOUT)
                .header("X-Trino-User", "cordwood")
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(url + " answered with status " + response.statusCode());
        }
        return response.body();
    }

    /**
     * Whether a Redis answers at the address. One that asks for a password answers too.
     *
     * @param authorities whom to trust with its certificate, if it speaks TLS
     */
    static boolean redisAnswers(String host, int port, Optional<Path> authorities) throws IOException {
        SocketFactory sockets = authorities.isPresent()
                ? PemFiles.trusting(authorities.get()).getSocketFactory()
                : SocketFactory.getDefault();
        try (Socket socket = sockets.createSocket()) {
            int millis = Math.toIntExact(TIMEOUT.toMillis());
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream answers = socket.getInputStream();
            String answer = new String(answers.readNBytes(5), StandardCharsets.US_ASCII);
            return answer.equals(authorities.isPresent() ? "-NOAU" : "+PONG");
        }
    }
}
