package io.cordwood.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** What Flink's dashboard says of its one running job. Not thread-safe. */
final class FlinkMonitor implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SOURCE = "Source: ";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;

    private FlinkMonitor(String dashboard, String job) {
        this.base = dashboard + "/jobs/" + job;
    }

    /** The job of the cluster with that dashboard, which runs already. */
    static FlinkMonitor of(String dashboard) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            JsonNode jobs = get(http, dashboard + "/jobs").path("jobs");
            return new FlinkMonitor(dashboard, jobs.path(0).path("id").asText());
        }
    }

    /** Records in Kafka that the job has not read; empty while its metric does not say. */
    Optional<Double> pendingRecords() throws IOException, InterruptedException {
        JsonNode source = StreamSupport.stream(get(http, base).path("vertices").spliterator(), false)
                .filter(vertex -> vertex.path("name").asText().startsWith(SOURCE))
                .findFirst()
                .orElseThrow(() -> new IOException("the job has no source"));
        String metric = source.path("name").asText().replaceAll("[^A-Za-z0-9]", "_") + ".pendingRecords";
        JsonNode found = get(
                http,
                "%s/vertices/%s/subtasks/metrics?get=%s"
                        .formatted(base, source.path("id").asText(), metric));
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.path(0).path("sum").asDouble());
    }

    /**
     * Milliseconds that completed checkpoints took from end to end.
     *
     * @param statistic {@code p50}, {@code p99} or {@code max}
     */
    double checkpointMillis(String statistic) throws IOException, InterruptedException {
        return get(http, base + "/checkpoints")
                .path("summary")
                .path("end_to_end_duration")
                .path(statistic)
                .asDouble();
    }

    private static JsonNode get(HttpClient http, String uri) throws IOException, InterruptedException {
        return JSON.readTree(http.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
                .body());
    }

    @Override
    public void close() {
        http.close();
    }
}
