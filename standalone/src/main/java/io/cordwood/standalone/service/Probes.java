package io.cordwood.standalone.service;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Probes that a ready service answers. Thread-safe. */
final class Probes {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private Probes() {}

    /** The body of an answer with status 200. @throws IOException if there is no such answer */
    static String get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(TIMEOUT)
                .header("X-Trino-User", "cordwood")
                .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(url + " answered with status " + response.statusCode());
        }
        return response.body();
    }

    /** Whether a Redis answers PING at the address. */
    static boolean redisAnswers(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            int millis = Math.toIntExact(TIMEOUT.toMillis());
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream answers = socket.getInputStream();
            return new String(answers.readNBytes(5), StandardCharsets.US_ASCII).equals("+PONG");
        }
    }
}
