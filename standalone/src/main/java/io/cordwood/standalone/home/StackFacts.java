package io.cordwood.standalone.home;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * {@code run/stack.json}: facts about a running stack that commands need besides its endpoints. Immutable.
 *
 * @param streams names of the streams; other topics of the same Kafka are not touched
 * @param kafkaProperties file with client properties of that Kafka, empty if none are needed
 * @param defaultTenant the tenant of records that name none; empty if they are refused
 * @param compaction the given options of the compaction job, by name without dashes
 */
public record StackFacts(
        List<String> streams, String kafkaProperties, String defaultTenant, Map<String, String> compaction) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public StackFacts {
        streams = List.copyOf(streams);
        // A stack that an earlier version started does not have it
        defaultTenant = requireNonNullElse(defaultTenant, "");
        compaction = Map.copyOf(requireNonNullElse(compaction, Map.of()));
    }

    public static StackFacts of(
            List<String> streams,
            Optional<Path> kafkaProperties,
            Optional<String> defaultTenant,
            Map<String, String> compaction) {
        return new StackFacts(
                streams, kafkaProperties.map(Path::toString).orElse(""), defaultTenant.orElse(""), compaction);
    }

    /** Writes the file of a stack that starts. @throws CordwoodException if it cannot be written */
    public void write(Home home) {
        try {
            AtomicFiles.write(home.factsFile(), JSON.writeValueAsString(this) + "\n");
        } catch (IOException | UncheckedIOException e) {
            throw new CordwoodException("cannot write %s: %s".formatted(home.factsFile(), Errors.text(e)), e);
        }
    }

    /** Reads the file of the home. @throws CordwoodException if it cannot be read */
    public static StackFacts read(Home home) {
        try {
            return JSON.readValue(Files.readAllBytes(home.factsFile()), StackFacts.class);
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s: %s".formatted(home.factsFile(), Errors.text(e)), e);
        }
    }

    /** Properties for a client of the stack's Kafka. @throws CordwoodException if they cannot be read */
    public Properties clientProperties() {
        return kafkaProperties.isEmpty() ? new Properties() : ClientProperties.load(Path.of(kafkaProperties));
    }
}
