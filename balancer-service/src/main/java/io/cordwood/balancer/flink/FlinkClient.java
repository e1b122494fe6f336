package io.cordwood.balancer.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A client of Flink's REST interface. Thread-safe.
 *
 * <p>Methods throw {@link IOException} if Flink does not answer within ten seconds, or refuses the request.
 */
public final class FlinkClient implements AutoCloseable {
    /** The vertex that builds LogBlocks. */
    public static final String BUILDER = "Build LogBlocks";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http;
    private final String address;

    /** A client that is not connected yet. */
    public FlinkClient(String address) {
        this(address, Optional.empty());
    }

    /** @param tls how to prove who asks, and whom to trust; empty for Java's defaults */
    public FlinkClient(String address, Optional<SSLContext> tls) {
        this.address = address;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
        tls.ifPresent(builder::sslContext);
        http = builder.build();
    }

    /** The overview of all jobs, also of ended ones: {@code jid}, {@code state}, {@code duration} and so on. */
    public List<JsonNode> jobs() throws IOException, InterruptedException {
        return get("/jobs/overview").path("jobs").valueStream().toList();
    }

    /** The ids of the running jobs. */
    public List<String> runningJobs() throws IOException, InterruptedException {
        return jobs().stream()
                .filter(job -> job.path("state").asText().equals("RUNNING"))
                .map(job -> job.path("jid").asText())
                .toList();
    }

    /** The job's vertices whose names contain a text. */
    public List<JsonNode> vertices(String job, String name) throws IOException, InterruptedException {
        return get("/jobs/" + job)
                .path("vertices")
                .valueStream()
                .filter(vertex -> vertex.path("name").asText().contains(name))
                .toList();
    }

    /** The first vertex of a job whose name contains a text. */
    public JsonNode vertex(String job, String name) throws IOException, InterruptedException {
        return vertices(job, name).stream()
                .findFirst()
                .orElseThrow(() -> new IOException("the job has no vertex '%s'".formatted(name)));
    }

    public JsonNode get(String path) throws IOException, InterruptedException {
        return send(path, request(path).GET());
    }

    public JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
        return send(path, json(path).POST(BodyPublishers.ofString(body.toString())));
    }

    public JsonNode put(String path, JsonNode body) throws IOException, InterruptedException {
        return send(path, json(path).PUT(BodyPublishers.ofString(body.toString())));
    }

    private HttpRequest.Builder json(String path) {
        return request(path).header("Content-Type", "application/json");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).timeout(TIMEOUT);
    }

    private JsonNode send(String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() >= 300) {
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
