package io.cordwood.benchmarks.compaction;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * The number of requests that a catalog service has answered, from its own metrics, without the requests for metrics.
 * Thread-safe.
 */
final class CatalogCalls {
    private static final String REQUESTS = "cordwood_catalog_requests_total{";
    private static final String OWN = "\"GET /metrics\"";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI metrics;

    CatalogCalls(URI catalog) {
        metrics = catalog.resolve("/metrics");
    }

    /** Number of requests so far. */
    long count() throws IOException, InterruptedException {
        String text = http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return text.lines()
                .filter(line -> line.startsWith(REQUESTS) && !line.contains(OWN))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
