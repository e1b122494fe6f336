package io.cordwood.benchmarks.compaction;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** How many requests a catalog service has answered, by its own account, those for its metrics apart. Thread-safe. */
final class CatalogCalls {
    private static final String REQUESTS = "cordwood_catalog_requests_total{";
    private static final String OWN = "\"GET /metrics\"";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI metrics;

    CatalogCalls(URI catalog) {
        metrics = catalog.resolve("/metrics");
    }

    /** Requests until now. */
    long count() throws IOException, InterruptedException {
        String text = http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return text.lines()
                .filter(line -> line.startsWith(REQUESTS) && !line.contains(OWN))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
