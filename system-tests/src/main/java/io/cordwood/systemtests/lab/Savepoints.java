package io.cordwood.systemtests.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes savepoints of the lab's job as operators do, and counts its checkpoints, by Flink's REST interface. For one
 * thread.
 */
public final class Savepoints {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration RECOVERY = Duration.ofMinutes(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration TAKEN = Duration.ofSeconds(30);

    private final Lab lab;

    public Savepoints(Lab lab) {
        this.lab = lab;
    }

    /**
     * Takes a savepoint when the job runs, and retries if the job fails meanwhile.
     *
     * @param stop whether the job ends with it
     * @return its directory
     */
    public Path take(boolean stop) throws IOException, InterruptedException, NotRecoveredException {
        Path target = Files.createTempDirectory(lab.directory(), "savepoints");
        Await.await(RECOVERY, "a savepoint is taken", () -> {
            trigger(target, stop);
            try {
                Await.await(
                        TAKEN,
                        "the savepoint is complete",
                        () -> completed(target).isPresent());
                return true;
            } catch (NotRecoveredException e) {
                throw new IOException(e.getMessage(), e);
            }
        });
        return completed(target).orElseThrow();
    }

    /** Checkpoints that the job has completed since its start. @throws IOException if it does not run */
    public long completedCheckpoints() throws IOException, InterruptedException {
        return send(
                        "/jobs/" + runningJob() + "/checkpoints",
                        HttpRequest.newBuilder().GET())
                .path("counts")
                .path("completed")
                .asLong();
    }

    private void trigger(Path target, boolean stop) throws IOException, InterruptedException {
        String job = "/jobs/" + runningJob();
        if (stop) {
            var body = JSON.createObjectNode()
                    .put("targetDirectory", target.toUri().toString());
            post(job + "/stop", body.put("drain", false));
        } else {
            post(
                    job + "/savepoints",
                    JSON.createObjectNode()
                            .put("target-directory", target.toUri().toString()));
        }
    }

    private String runningJob() throws IOException, InterruptedException {
        for (JsonNode job : send("/jobs", HttpRequest.newBuilder().GET()).path("jobs")) {
            if (job.path("status").asText().equals("RUNNING")) {
                return job.path("id").asText();
            }
        }
        throw new IOException("no job runs");
    }

    private void post(String path, JsonNode body) throws IOException, InterruptedException {
        send(path, HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString(body.toString())));
    }

    private JsonNode send(String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response = http.send(
                    request.uri(URI.create(lab.flink() + path)).timeout(ANSWER).build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new IOException("Flink says: " + response.body());
            }
            return JSON.readTree(response.body());
        }
    }

    /** Flink writes the metadata last, so a failed savepoint has none. */
    private static Optional<Path> completed(Path target) throws IOException {
        try (Stream<Path> savepoints = Files.list(target)) {
            return savepoints
                    .filter(savepoint -> Files.exists(savepoint.resolve("_metadata")))
                    .findFirst();
        }
    }
}
