package io.cordwood.standalone.flink;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.balancer.flink.FlinkClient;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLContext;

/**
 * The state of the ingest job as Flink reports it: its uptime, its starting checkpoint, the time until it archived rows
 * again. Immutable.
 *
 * @param state Flink's name of the state
 * @param checkpoint number of the checkpoint that this start continued from
 * @param firstPublicationMillis time from this start to the first new archived-through
 * @param unarchivedAgeSeconds age of the oldest row that is not in its table
 * @param heldPartitions partitions whose rows wait for an open transaction
 * @param unsafeTopics topics whose settings lose rows
 */
public record IngestStatus(
        String state,
        Duration running,
        OptionalLong checkpoint,
        OptionalLong firstPublicationMillis,
        OptionalLong unarchivedAgeSeconds,
        OptionalLong heldPartitions,
        OptionalLong unsafeTopics) {
    private static final String OPERATOR = "Publish archived-through";
    private static final String PREFIX = "0.Publish_archived-through.";

    /**
     * Reads the status from Flink.
     *
     * @param flink address of Flink's REST interface
     * @param secrets what proves the caller, in a stack with authentication
     * @throws CordwoodException if Flink does not answer or runs no job
     */
    public static IngestStatus of(String flink, Optional<Secrets> secrets) {
        try (FlinkClient client = new FlinkClient(flink, tls(secrets))) {
            return of(client, flink);
        } catch (IOException e) {
            throw new CordwoodException("Flink at %s does not answer: %s".formatted(flink, Errors.text(e)), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CordwoodException("interrupted while waiting for Flink", e);
        }
    }

    private static Optional<SSLContext> tls(Optional<Secrets> secrets) throws IOException {
        return secrets.isPresent() ? Optional.of(secrets.get().operatorTls()) : Optional.empty();
    }

    private static IngestStatus of(FlinkClient client, String flink) throws IOException, InterruptedException {
        JsonNode job = client.jobs().stream()
                .findFirst()
                .orElseThrow(() -> new CordwoodException("Flink at %s runs no job".formatted(flink)));
        String id = job.path("jid").asText();
        JsonNode restored =
                client.get("/jobs/" + id + "/checkpoints").path("latest").path("restored");
        String metrics = "/jobs/%s/vertices/%s/metrics?get=%s"
                .formatted(id, client.vertex(id, OPERATOR).path("id").asText(), PREFIX);
        return new IngestStatus(
                job.path("state").asText().toLowerCase(Locale.ROOT),
                Duration.ofMillis(job.path("duration").asLong()),
                restored.hasNonNull("id") ? OptionalLong.of(restored.path("id").asLong()) : OptionalLong.empty(),
                metric(client, metrics + "first_publication_millis"),
                metric(client, metrics + "unarchived_age_seconds"),
                metric(client, metrics + "partitions_held_by_transactions"),
                metric(client, metrics + "unsafe_topics"));
    }

    /** Empty until the job has reported it, some seconds after its start. */
    private static OptionalLong metric(FlinkClient client, String path) throws IOException, InterruptedException {
        long number = client.get(path).path(0).path("value").asLong(-1);
        return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** One line for an operator. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder("ingest job %s for %d s, ".formatted(state, running.toSeconds()));
        line.append(checkpoint.isPresent() ? "from checkpoint " + checkpoint.getAsLong() : "without a checkpoint");
        firstPublicationMillis.ifPresent(
                millis -> line.append("; archived the first rows %.1f s after its start".formatted(millis / 1e3)));
        unarchivedAgeSeconds.ifPresent(
                seconds -> line.append("; oldest row not archived yet: %d s".formatted(seconds)));
        heldPartitions.stream()
                .filter(partitions -> partitions > 0)
                .forEach(partitions ->
                        line.append("; %d partitions wait for an open transaction: the job's log names its producer"
                                .formatted(partitions)));
        unsafeTopics.stream()
                .filter(topics -> topics > 0)
                .forEach(topics ->
                        line.append("; settings of %d topics can lose rows: see the job's log".formatted(topics)));
        return line.toString();
    }
}
