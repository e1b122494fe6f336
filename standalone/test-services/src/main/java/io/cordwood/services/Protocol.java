package io.cordwood.services;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * The protocol of a kind of service, for readiness checks. An open port is not enough: a database may be recovering,
 * and Docker's proxy always accepts.
 */
enum Protocol {
    ALERTMANAGER("http://%s", "GET /-/ready HTTP/1.0\r\n\r\n", "HTTP/1.0 200"),
    // Request ApiVersions, version 0, of a client without a name; the answer begins with its length.
    KAFKA("%s", "\0\0\0\12\0\22\0\0\0\0\0\0\377\377", "\0"),
    // Any HTTP response counts, even one that asks for credentials.
    OBJECT_STORE("http://%s", "GET / HTTP/1.0\r\n\r\n", "HTTP"),
    // Message StartupMessage of protocol 3.0; the answer is AuthenticationOk, or an error while the database recovers.
    POSTGRESQL(
            "jdbc:postgresql://%s/postgres?user=cordwood",
            "\0\0\0\51\0\3\0\0user\0cordwood\0database\0postgres\0\0", "R"),
    // It listens before it is ready, and says so.
    PROMETHEUS("http://%s", "GET /-/ready HTTP/1.0\r\n\r\n", "HTTP/1.0 200"),
    REDIS("redis://%s", "PING\r\n", "+"),
    // ChromeDriver's, which listens once it is ready and knows no older HTTP.
    WEBDRIVER("http://%s", "GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP");

    private static final int TIMEOUT_MILLISECONDS = 2_000;

    private final String urlFormat;
    private final String question;
    private final String answer;

    /** @param answer how the answer begins */
    Protocol(String urlFormat, String question, String answer) {
        this.urlFormat = urlFormat;
        this.question = question;
        this.answer = answer;
    }

    String url(String address) {
        return urlFormat.formatted(address);
    }

    boolean answers(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLISECONDS);
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLISECONDS);
            socket.getOutputStream().write(question.getBytes(ISO_8859_1));
            byte[] begin = socket.getInputStream().readNBytes(answer.length());
            return new String(begin, ISO_8859_1).equals(answer);
        } catch (IOException e) {
            return false;
        }
    }
}
