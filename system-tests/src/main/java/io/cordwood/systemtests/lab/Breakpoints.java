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
 * Says at which moments one instance of the job is to be held, or to lose something, and waits until it is or has. The
 * instance runs with {@link Breakpoint}, which is told the same directory. Used by one thread.
 */
public record Breakpoints(Path directory) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** From now on what gets to the moment is held there, or lost. */
    public void arm(FaultPoint moment) throws IOException {
        Files.createDirectories(at(moment));
    }

    /** Lets go on what is held, and leaves alone what comes. */
    public void release(FaultPoint moment) throws IOException {
        if (Files.exists(at(moment))) {
            // At once: what is held looks for the directory, not into it.
            Directories.delete(Files.move(
                    at(moment), Files.createTempDirectory(directory, "released").resolve("all")));
        }
    }

    /** Waits until something is held or lost. Returns the tenant of what is held. */
    public String awaitAny(FaultPoint moment) throws NotRecoveredException, InterruptedException, IOException {
        Await.await(PATIENCE, "the job gets to " + moment, () -> any(moment).isPresent());
        return any(moment).orElseThrow();
    }

    /** The table offset that the tenant's commit sets, which is held now: the sum, if it has several partitions. */
    public long await(FaultPoint moment, String tenantId)
            throws NotRecoveredException, InterruptedException, IOException {
        Path file = at(moment).resolve(tenantId);
        Await.await(PATIENCE, "the commit for %s gets to %s".formatted(tenantId, moment), () -> Files.exists(file));
        long sum = 0;
        for (JsonNode partitions : JSON.readTree(file.toFile())) {
            for (JsonNode offset : partitions) {
                sum += offset.asLong();
            }
        }
        return sum;
    }

    private Path at(FaultPoint moment) {
        return directory.resolve(moment.name());
    }

    private Optional<String> any(FaultPoint moment) throws IOException {
        try (Stream<Path> tenants = Files.list(at(moment))) {
            return tenants.map(tenant -> tenant.getFileName().toString()).findFirst();
        }
    }
}
