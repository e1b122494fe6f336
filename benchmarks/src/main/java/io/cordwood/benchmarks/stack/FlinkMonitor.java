package io.cordwood.benchmarks.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** The only running job on a Flink dashboard. Not thread-safe. */
public final class FlinkMonitor implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Slightly longer than the dashboard caches metrics. */
    private static final long METRICS_MILLIS = 11_000;

    private static final String SOURCE = "Source: ";
    private static final String BUILDER = "Build LogBlocks";
    private static final Pattern FLUSHES = Pattern.compile(".*\\.reason\\.(\\w+)\\.flushes");

    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;

    private FlinkMonitor(String dashboard, String job) {
        this.base = dashboard + "/jobs/" + job;
    }

    /** The running job of the cluster with that dashboard. */
    public static FlinkMonitor of(String dashboard) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            JsonNode jobs = get(http, dashboard + "/jobs").path("jobs");
            return new FlinkMonitor(dashboard, jobs.path(0).path("id").asText());
        }
    }

    /** Records in Kafka that the job has not read; empty while the metric is missing. */
    public Optional<Double> pendingRecords() throws IOException, InterruptedException {
        JsonNode source = vertex(SOURCE);
        String metric = source.path("name").asText().replaceAll("[^A-Za-z0-9]", "_") + ".pendingRecords";
        JsonNode found = get(http, metrics(source) + "?get=" + metric);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.path(0).path("sum").asDouble());
    }

    /** Number of flushes by reason; waits until the dashboard knows all of them. */
    public Map<String, Double> flushes() throws IOException, InterruptedException {
        Map<String, Double> flushes = knownFlushes();
        Map<String, Double> before;
        do {
            before = flushes;
            Thread.sleep(METRICS_MILLIS);
            flushes = knownFlushes();
        } while (!flushes.equals(before));
        return flushes;
    }

    private Map<String, Double> knownFlushes() throws IOException, InterruptedException {
        String metrics = metrics(vertex(BUILDER));
        Map<String, Double> flushes = new TreeMap<>();
        for (JsonNode metric : get(http, metrics)) {
            Matcher name = FLUSHES.matcher(metric.path("id").asText());
            if (name.matches()) {
                JsonNode found = get(http, metrics + "?get=" + name.group());
                flushes.put(name.group(1), found.path(0).path("sum").asDouble());
            }
        }
        return flushes;
    }

    /** The job's vertex with this name prefix. */
    private JsonNode vertex(String name) throws IOException, InterruptedException {
        return StreamSupport.stream(get(http, base).path("vertices").spliterator(), false)
                .filter(vertex -> vertex.path("name").asText().startsWith(name))
                .findFirst()
                .orElseThrow(() -> new IOException("the job has no vertex '%s'".formatted(name)));
    }

    private String metrics(JsonNode vertex) {
        return "%s/vertices/%s/subtasks/metrics"
                .formatted(base, vertex.path("id").asText());
    }

    /**
     * Duration of completed checkpoints from end to end in milliseconds.
     *
     * @param statistic {@code p50}, {@code p99} or {@code max}
     */
    public double checkpointMillis(String statistic) throws IOException, InterruptedException {
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
