package io.cordwood.balancer.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/** How busy the subtasks that take records in are, by Flink's REST interface. Thread-safe. */
final class FlinkView implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String VERTEX = "Build LogBlocks";
    private static final String BUSY = "busyTimeMsPerSecond";
    private static final String BACK_PRESSURED = "backPressuredTimeMsPerSecond";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final String flink;

    /**
     * Parts of a second that a subtask spends.
     *
     * @param busy working, 0 to 1
     * @param backPressured waiting for those behind it, 0 to 1
     */
    record Usage(double busy, double backPressured) {
        static final Usage UNKNOWN = new Usage(0, 0);
    }

    /** @param flink address of the REST interface; empty for none */
    FlinkView(String flink) {
        this.flink = flink;
    }

    /** By subtask number; empty if no ingest job runs. */
    Map<String, Usage> usage() throws IOException, InterruptedException {
        Map<String, Usage> usage = new HashMap<>();
        if (flink.isEmpty()) {
            return usage;
        }
        for (JsonNode job : get("/jobs/overview").path("jobs")) {
            if (job.path("state").asText().equals("RUNNING")) {
                String jobPath = "/jobs/" + job.path("jid").asText();
                for (JsonNode vertex : get(jobPath).path("vertices")) {
                    if (vertex.path("name").asText().contains(VERTEX)) {
                        add(
                                jobPath + "/vertices/" + vertex.path("id").asText() + "/metrics",
                                vertex.path("parallelism").asInt(),
                                usage);
                    }
                }
            }
        }
        return usage;
    }

    private void add(String path, int subtasks, Map<String, Usage> usage) throws IOException, InterruptedException {
        StringJoiner names = new StringJoiner(",");
        for (int subtask = 0; subtask < subtasks; subtask++) {
            names.add(subtask + "." + BUSY).add(subtask + "." + BACK_PRESSURED);
        }
        Map<String, Double> values = new HashMap<>();
        for (JsonNode metric : get(path + "?get=" + names)) {
            double value = metric.path("value").asDouble(0);
            values.put(metric.path("id").asText(), Double.isFinite(value) ? value / 1e3 : 0);
        }
        for (int subtask = 0; subtask < subtasks; subtask++) {
            usage.put(
                    Integer.toString(subtask),
                    new Usage(
                            values.getOrDefault(subtask + "." + BUSY, 0.0),
                            values.getOrDefault(subtask + "." + BACK_PRESSURED, 0.0)));
        }
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(
                HttpRequest.newBuilder(URI.create(flink + path))
                        .timeout(PATIENCE)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("Flink answers %s with %d".formatted(path, response.statusCode()));
        }
        return JSON.readTree(response.body());
    }

    @Override
    public void close() {
        http.close();
    }
}
