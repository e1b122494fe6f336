package io.cordwood.systemtests.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.run.Directories;
import io.cordwood.systemtests.agent.Breakpoint;
import io.cordwood.systemtests.agent.FaultPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Arms the fault points of one instance of the job, and waits until the job reaches them. The instance runs with
 * {@link Breakpoint} on the same directory. For one thread.
 */
public record Breakpoints(Path directory) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    /** Arms the fault point: the next commits that reach it stop there, or a flush is lost. */
    public void arm(FaultPoint point) throws IOException {
        Files.createDirectories(at(point));
    }

    /** Releases stopped commits and disarms the fault point. */
    public void release(FaultPoint point) throws IOException {
        if (Files.exists(at(point))) {
            // A rename releases all at once: stopped threads check for the directory, not for files in it.
            Directories.delete(Files.move(
                    at(point), Files.createTempDirectory(directory, "released").resolve("all")));
        }
    }

    /** Waits until a commit stops or a flush is lost. Returns the tenant of the stopped commit. */
    public String awaitAny(FaultPoint point) throws NotRecoveredException, InterruptedException, IOException {
        Await.await(TIMEOUT, "the job reaches " + point, () -> any(point).isPresent());
        return any(point).orElseThrow();
    }

    /**
     * Waits for the tenant's commit and returns the table offset that it sets: the sum, if it has several partitions.
     */
    public long await(FaultPoint point, String tenantId)
            throws NotRecoveredException, InterruptedException, IOException {
        Path file = at(point).resolve(tenantId);
        Await.await(TIMEOUT, "the commit for %s reaches %s".formatted(tenantId, point), () -> Files.exists(file));
        long sum = 0;
        for (JsonNode partitions : JSON.readTree(file.toFile())) {
            for (JsonNode offset : partitions) {
                sum += offset.asLong();
            }
        }
        return sum;
    }

    private Path at(FaultPoint point) {
        return directory.resolve(point.name());
    }

    private Optional<String> any(FaultPoint point) throws IOException {
        try (Stream<Path> tenants = Files.list(at(point))) {
            return tenants.map(tenant -> tenant.getFileName().toString()).findFirst();
        }
    }
}
