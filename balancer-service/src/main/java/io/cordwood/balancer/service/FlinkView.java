package io.cordwood.balancer.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** The subtasks that consume records, how busy they are and how many, by Flink's REST interface. Thread-safe. */
final class FlinkView implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String REQUIREMENTS = "/resource-requirements";
    private static final String VERTEX = "Build LogBlocks";
    private static final String BUSY = "busyTimeMsPerSecond";
    private static final String BACK_PRESSURED = "backPressuredTimeMsPerSecond";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final String flink;

    /**
     * Shares of a subtask's time.
     *
     * @param busy working, 0 to 1
     * @param backPressured waiting for downstream subtasks, 0 to 1
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
        for (JsonNode job : runningJobs()) {
            String jobPath = "/jobs/" + job.path("jid").asText();
            for (JsonNode vertex : get(jobPath).path("vertices")) {
                if (isBuilder(vertex)) {
                    add(
                            jobPath + "/vertices/" + vertex.path("id").asText() + "/metrics",
                            vertex.path("parallelism").asInt(),
                            usage);
                }
            }
        }
        return usage;
    }

    /**
     * Requests this parallelism for the ingest job, if its present limit is lower. Flink gives it as many subtasks as
     * there are slots, and restarts it from its next checkpoint.
     *
     * @return whether a request was sent
     * @throws IOException if Flink does not answer, or the job's scheduler does not support it
     */
    boolean scale(int subtasks) throws IOException, InterruptedException {
        boolean asked = false;
        if (flink.isEmpty()) {
            return asked;
        }
        for (JsonNode job : runningJobs()) {
            String path = "/jobs/" + job.path("jid").asText();
            JsonNode vertices = get(path).path("vertices");
            if (vertices.valueStream().noneMatch(FlinkView::isBuilder)) {
                continue;
            }
            JsonNode before = get(path + REQUIREMENTS);
            ObjectNode requirements = JSON.createObjectNode();
            boolean more = false;
            for (JsonNode vertex : vertices) {
                String id = vertex.path("id").asText();
                int most = Math.min(subtasks, vertex.path("maxParallelism").asInt());
                int mostBefore =
                        before.path(id).path("parallelism").path("upperBound").asInt();
                requirements
                        .putObject(id)
                        .putObject("parallelism")
                        .put("lowerBound", 1)
                        .put("upperBound", Math.max(most, mostBefore));
                more |= isBuilder(vertex) && mostBefore < most;
            }
            if (more) {
                put(path + REQUIREMENTS, requirements.toString());
                asked = true;
            }
        }
        return asked;
    }

    private static boolean isBuilder(JsonNode vertex) {
        return vertex.path("name").asText().contains(VERTEX);
    }

    private List<JsonNode> runningJobs() throws IOException, InterruptedException {
        return get("/jobs/overview")
                .path("jobs")
                .valueStream()
                .filter(job -> job.path("state").asText().equals("RUNNING"))
                .toList();
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
        return send(path, request(path).GET());
    }

    private void put(String path, String body) throws IOException, InterruptedException {
        send(
                path,
                request(path)
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(flink + path)).timeout(TIMEOUT);
    }

    private JsonNode send(String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("Flink responds to %s with %d: %s"
                    .formatted(path, response.statusCode(), new String(response.body(), UTF_8)));
        }
        return JSON.readTree(response.body());
    }

    @Override
    public void close() {
        http.close();
    }
}
