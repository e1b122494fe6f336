package io.cordwood.systemtests.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.balancer.flink.FlinkClient;
import java.io.IOException;
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
        try (FlinkClient flink = new FlinkClient(lab.flink())) {
            return flink.get("/jobs/" + runningJob(flink) + "/checkpoints")
                    .path("counts")
                    .path("completed")
                    .asLong();
        }
    }

    private void trigger(Path target, boolean stop) throws IOException, InterruptedException {
        String directory = target.toUri().toString();
        try (FlinkClient flink = new FlinkClient(lab.flink())) {
            String job = "/jobs/" + runningJob(flink);
            ObjectNode body = JSON.createObjectNode();
            if (stop) {
                flink.post(job + "/stop", body.put("targetDirectory", directory).put("drain", false));
            } else {
                flink.post(job + "/savepoints", body.put("target-directory", directory));
            }
        }
    }

    private static String runningJob(FlinkClient flink) throws IOException, InterruptedException {
        return flink.runningJobs().stream().findFirst().orElseThrow(() -> new IOException("no job runs"));
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
