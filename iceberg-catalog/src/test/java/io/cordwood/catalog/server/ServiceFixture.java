package io.cordwood.catalog.server;

import io.cordwood.catalog.client.CatalogClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;

/** A catalog service of its own, and plain requests to it. */
public final class ServiceFixture implements AutoCloseable {
    final CatalogServer server;
    public final CatalogClient client;
    private final HttpClient http = HttpClient.newHttpClient();

    public ServiceFixture(String jdbcUrl, Path warehouse) throws IOException {
        server = CatalogServer.start(new CatalogServerOptions("127.0.0.1", 0, jdbcUrl, warehouse.toString(), Map.of()));
        client = CatalogClient.connect(server.uri(), Map.of());
    }

    HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, "");
    }

    /**
     * Sends a request.
     *
     * @param headers names and values in turns
     */
    public HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        http.close();
        client.close();
        server.close();
    }
}
