package io.cordwood.benchmarks.stack;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.balancer.flink.FlinkClient;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The only running job on a Flink dashboard. Not thread-safe. */
public final class FlinkMonitor implements Closeable {
    /** Slightly longer than the dashboard caches metrics. */
    private static final long METRICS_MILLIS = 11_000;

    private static final String SOURCE = "Source: ";
    private static final Pattern FLUSHES = Pattern.compile(".*\\.reason\\.(\\w+)\\.flushes");

    private final FlinkClient flink;
    private final String job;

    private FlinkMonitor(FlinkClient flink, String job) {
        this.flink = flink;
        this.job = job;
    }

    /** The running job of the cluster with that dashboard. */
    public static FlinkMonitor of(String dashboard) throws IOException, InterruptedException {
        FlinkClient flink = new FlinkClient(dashboard);
        try {
            List<String> jobs = flink.runningJobs();
            if (jobs.size() != 1) {
                throw new IOException("Flink at %s runs %d jobs".formatted(dashboard, jobs.size()));
            }
            return new FlinkMonitor(flink, jobs.getFirst());
        } catch (IOException | InterruptedException e) {
            flink.close();
            throw e;
        }
    }

    /** Records in Kafka that the job has not read; empty while the metric is missing. */
    public Optional<Double> pendingRecords() throws IOException, InterruptedException {
        JsonNode source = flink.vertex(job, SOURCE);
        String metric = source.path("name").asText().replaceAll("[^A-Za-z0-9]", "_") + ".pendingRecords";
        JsonNode found = flink.get(metrics(source) + "?get=" + metric);
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
        String metrics = metrics(flink.vertex(job, FlinkClient.BUILDER));
        Map<String, Double> flushes = new TreeMap<>();
        for (JsonNode metric : flink.get(metrics)) {
            Matcher name = FLUSHES.matcher(metric.path("id").asText());
            if (name.matches()) {
                JsonNode found = flink.get(metrics + "?get=" + name.group());
                flushes.put(name.group(1), found.path(0).path("sum").asDouble());
            }
        }
        return flushes;
    }

    private String metrics(JsonNode vertex) {
        return "/jobs/%s/vertices/%s/subtasks/metrics"
                .formatted(job, vertex.path("id").asText());
    }

    /**
     * Duration of completed checkpoints from end to end in milliseconds.
     *
     * @param statistic {@code p50}, {@code p99} or {@code max}
     */
    public double checkpointMillis(String statistic) throws IOException, InterruptedException {
        return flink.get("/jobs/" + job + "/checkpoints")
                .path("summary")
                .path("end_to_end_duration")
                .path(statistic)
                .asDouble();
    }

    @Override
    public void close() {
        flink.close();
    }
}
