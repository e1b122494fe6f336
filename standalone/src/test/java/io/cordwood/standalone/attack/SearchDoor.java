package io.cordwood.standalone.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The search service of the stack, as users and attackers reach it. Thread-safe. */
final class SearchDoor {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Longer than any question may take. */
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final Running stack;

    SearchDoor(Running stack) {
        this.stack = stack;
    }

    URI uri() {
        return URI.create(stack.endpoint("search"));
    }

    static String path(String tenant, String operation) {
        return "/api/v1/tenants/%s/streams/logs/%s".formatted(tenant, operation);
    }

    /** The path of a query for lines to Loki's API. */
    static String lines(String logQl) {
        return "/loki/api/v1/query_range?limit=1000&query=" + URLEncoder.encode(logQl, UTF_8);
    }

    HttpResponse<String> get(String user, String path, String... headers) throws IOException, InterruptedException {
        return send(user, HttpRequest.newBuilder().GET(), path, headers);
    }

    HttpResponse<String> post(String user, String path, String body, String... headers)
            throws IOException, InterruptedException {
        return send(user, HttpRequest.newBuilder().POST(BodyPublishers.ofString(body)), path, headers);
    }

    HttpResponse<String> post(String user, String path, byte[] body, String... headers)
            throws IOException, InterruptedException {
        return send(user, HttpRequest.newBuilder().POST(BodyPublishers.ofByteArray(body)), path, headers);
    }

    private HttpResponse<String> send(String user, HttpRequest.Builder request, String path, String... headers)
            throws IOException, InterruptedException {
        request.uri(URI.create(uri() + path)).timeout(TIMEOUT).header("Authorization", "Bearer " + stack.token(user));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return stack.sendAlone(request.build());
    }

    /** What a tool of the Model Context Protocol says, be it a result or an error. */
    String tool(String user, String name, Map<String, Object> arguments) throws IOException, InterruptedException {
        return answer(mcp(user, call("tools/call", Map.of("name", name, "arguments", arguments))));
    }

    /** A message of the protocol that calls a method. */
    static String call(String method, Map<String, Object> parameters) throws IOException {
        return JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", parameters));
    }

    HttpResponse<String> mcp(String user, String message, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .POST(BodyPublishers.ofString(message))
                .header("Content-Type", "application/json");
        return send(user, request, "/mcp", headers);
    }

    private static String answer(HttpResponse<String> response) throws IOException {
        JsonNode result = JSON.readTree(response.body()).path("result");
        return result.path("content").path(0).path("text").asText();
    }

    /** The first row of an answer of {@code search}. */
    static JsonNode firstRow(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body().lines().findFirst().orElseThrow());
    }

    /** A connection for requests that no client sends. */
    Socket connect() throws IOException {
        return stack.tls(uri());
    }

    /** The beginning of a request: its first line, the host, and the token of a user. */
    String head(String user, String method, String path) {
        return "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                .formatted(method, path, uri().getAuthority(), stack.token(user));
    }

    /** Reads the first line of the answer on a connection. */
    static String statusLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\n';
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    /** A request to follow a tenant's lines by a WebSocket. */
    String webSocket(String user, String header) {
        return head(user, "GET", "/loki/api/v1/tail?query=%7Bstream%3D%22logs%22%7D")
                + joined(
                        "Connection: Upgrade",
                        "Upgrade: websocket",
                        "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                        header,
                        "");
    }

    private static String joined(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    /** The whole answer to a request that no client would send. */
    String answer(String body, String firstLine, String... headers) throws IOException {
        try (Socket socket = connect()) {
            String request = joined(firstLine)
                    + joined(headers)
                    + joined("Connection: close", "Content-Length: " + body.length(), "");
            socket.getOutputStream().write((request + body).getBytes(UTF_8));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    /** Ships lines of JSON for a tenant, whose reader then finds them. */
    void ship(String reader, String tenant, Path directory, String lines, int rows) throws Exception {
        Path file = Files.writeString(Files.createTempFile(directory, tenant, ".ndjson"), lines);
        stack.ok("produce", "--tenant", tenant, file.toString());
        Waiting.until(
                "the rows of %s are found".formatted(tenant),
                () -> post(reader, path(tenant, "search"), "{\"columns\":[\"ts\"],\"limit\":10}")
                                .body()
                                .lines()
                                .filter(line -> line.contains("\"_cursor\""))
                                .count()
                        == rows);
    }
}
