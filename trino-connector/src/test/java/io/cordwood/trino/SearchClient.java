package io.cordwood.trino;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.http.HttpSettings;
import io.cordwood.query.QuerySettings;
import io.cordwood.query.search.ScanLimits;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.search.SearchServer;
import io.cordwood.search.SearchServerOptions;
import io.cordwood.search.alert.AlertSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** A search service in this process, and requests to it about the stream {@code logs} of tenant {@code acme}. */
final class SearchClient implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final int MEGABYTE = 1 << 20;

    private final SearchServer server;
    private final HttpClient http = HttpClient.newHttpClient();

    private SearchClient(SearchServer server) {
        this.server = server;
    }

    static SearchClient start(URI catalog, String kafka) throws IOException {
        return new SearchClient(SearchServer.start(new SearchServerOptions(
                new HttpSettings("127.0.0.1", 0, Optional.empty(), OptionalInt.empty()),
                new QuerySettings(
                        catalog,
                        Map.of(),
                        List.of("logs"),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(1),
                        4,
                        4,
                        // Small, so that blocks are read again
                        new QuerySettings.Caches(
                                MEGABYTE,
                                MEGABYTE,
                                MEGABYTE,
                                8 * MEGABYTE,
                                8 * MEGABYTE,
                                8 * MEGABYTE,
                                Optional.empty(),
                                MEGABYTE),
                        new HotTierReader.Settings(
                                Optional.of(kafka),
                                Optional.empty(),
                                Optional.empty(),
                                Duration.ofMillis(100),
                                MEGABYTE,
                                "",
                                false,
                                8 * MEGABYTE)),
                new ScanLimits(1L << 30, 1L << 30, Duration.ofMinutes(1), 2),
                8,
                8,
                8,
                128 * MEGABYTE,
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                AlertSettings.NONE)));
    }

    /** The lines of an answer. */
    List<JsonNode> ask(String operation, Map<String, ?> request) throws Exception {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(server.uri().resolve("/api/v1/tenants/acme/streams/logs/" + operation))
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(request)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new AssertionError(
                    "%s of %s: %d, %s".formatted(operation, request, response.statusCode(), response.body()));
        }
        return response.body().lines().map(SearchClient::parse).toList();
    }

    static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("Not JSON: " + line, e);
        }
    }

    @Override
    public void close() throws IOException {
        http.close();
        server.close();
    }
}
