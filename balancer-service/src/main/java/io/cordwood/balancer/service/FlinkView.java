package io.cordwood.balancer.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.balancer.flink.FlinkClient;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import javax.net.ssl.SSLContext;

/** The subtasks that consume records, how busy they are and how many, by Flink's REST interface. Thread-safe. */
final class FlinkView implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REQUIREMENTS = "/resource-requirements";
    private static final String BUSY = "busyTimeMsPerSecond";
    private static final String BACK_PRESSURED = "backPressuredTimeMsPerSecond";

    private final Optional<FlinkClient> flink;

    /**
     * Shares of a subtask's time.
     *
     * @param busy working, 0 to 1
     * @param backPressured waiting for downstream subtasks, 0 to 1
     */
    record Usage(double busy, double backPressured) {
        static final Usage UNKNOWN = new Usage(0, 0);
    }

    /**
     * A view that is not connected yet.
     *
     * @param flink address of the REST interface; empty for none
     * @param tls how to prove who asks; empty for Java's defaults
     */
    FlinkView(String flink, Optional<SSLContext> tls) {
        this.flink = flink.isEmpty() ? Optional.empty() : Optional.of(new FlinkClient(flink, tls));
    }

    /** By subtask number; empty if no ingest job runs. */
    Map<String, Usage> usage() throws IOException, InterruptedException {
        Map<String, Usage> usage = new HashMap<>();
        if (flink.isPresent()) {
            for (String job : flink.get().runningJobs()) {
                for (JsonNode vertex : flink.get().vertices(job, FlinkClient.BUILDER)) {
                    String path = "/jobs/%s/vertices/%s/metrics"
                            .formatted(job, vertex.path("id").asText());
                    add(flink.get(), path, vertex.path("parallelism").asInt(), usage);
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
        if (flink.isPresent()) {
            for (String job : flink.get().runningJobs()) {
                asked |= scale(flink.get(), job, subtasks);
            }
        }
        return asked;
    }

    private static boolean scale(FlinkClient flink, String job, int subtasks) throws IOException, InterruptedException {
        List<JsonNode> vertices = flink.vertices(job, "");
        if (vertices.stream().noneMatch(FlinkView::isBuilder)) {
            return false;
        }
        String path = "/jobs/" + job + REQUIREMENTS;
        JsonNode before = flink.get(path);
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
            flink.put(path, requirements);
        }
        return more;
    }

    private static boolean isBuilder(JsonNode vertex) {
        return vertex.path("name").asText().contains(FlinkClient.BUILDER);
    }

    private static void add(FlinkClient flink, String path, int subtasks, Map<String, Usage> usage)
            throws IOException, InterruptedException {
        StringJoiner names = new StringJoiner(",");
        for (int subtask = 0; subtask < subtasks; subtask++) {
            names.add(subtask + "." + BUSY).add(subtask + "." + BACK_PRESSURED);
        }
        Map<String, Double> values = new HashMap<>();
        for (JsonNode metric : flink.get(path + "?get=" + names)) {
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

    @Override
    public void close() {
        flink.ifPresent(FlinkClient::close);
    }
}
