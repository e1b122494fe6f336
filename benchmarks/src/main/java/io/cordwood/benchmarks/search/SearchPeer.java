package io.cordwood.benchmarks.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.peer.Peer;
import io.cordwood.benchmarks.search.SearchRequests.ApiRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The search service over HTTP. Not thread-safe. */
final class SearchPeer implements Peer {
    private static final String ARROW = "application/vnd.apache.arrow.stream";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI service;
    private final String stream;
    private final boolean arrow;

    private SearchPeer(URI service, String stream, boolean arrow) {
        this.service = service;
        this.stream = stream;
        this.arrow = arrow;
    }

    /** Rows come as lines of JSON. */
    static SearchPeer ofLines(URI service, String stream) {
        return new SearchPeer(service, stream, false);
    }

    /** Rows come as Arrow. */
    static SearchPeer ofArrow(URI service, String stream) {
        return new SearchPeer(service, stream, true);
    }

    @Override
    public String name() {
        return arrow ? "search_arrow" : "search";
    }

    /** Asks the query, and checks that the answer is whole. */
    @Override
    public Run ask(BenchQuery query) throws IOException {
        ApiRequest asked = SearchRequests.of(query);
        HttpRequest request = HttpRequest.newBuilder(service.resolve(
                        "/api/v1/tenants/%s/streams/%s/%s".formatted(query.tenant(), stream, asked.operation())))
                .header("Accept", arrow ? ARROW : "*/*")
                .POST(HttpRequest.BodyPublishers.ofString(asked.body()))
                .build();
        long start = System.nanoTime();
        byte[] body = send(request);
        double millis = (System.nanoTime() - start) / 1e6;
        return new Run(new Answer(rows(asked.operation(), body), 0), millis, 0);
    }

    private byte[] send(HttpRequest request) throws IOException {
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("the search service answered %d to %s: %s"
                        .formatted(response.statusCode(), request.uri(), new String(response.body(), UTF_8)));
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private long rows(String operation, byte[] body) throws IOException {
        if (operation.equals("search") && arrow) {
            return ArrowRows.count(body);
        }
        if (operation.equals("search")) {
            long lines = 0;
            for (byte character : body) {
                lines += character == '\n' ? 1 : 0;
            }
            // The last one has the statistics
            return lines - 1;
        }
        JsonNode answer = JSON.readTree(body);
        if (operation.equals("values")) {
            return answer.get("values").size();
        }
        long rows = 0;
        for (JsonNode bucket : answer.get("buckets")) {
            rows += bucket.get("counts").get(0).get("count").asLong();
        }
        return rows;
    }

    @Override
    public void close() {
        client.close();
    }
}
