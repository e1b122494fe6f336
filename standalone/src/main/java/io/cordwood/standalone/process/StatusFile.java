package io.cordwood.standalone.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.cordwood.standalone.home.AtomicFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code run/status.json}: the states of all services, written by the supervisor whenever one changes.
 *
 * @param services one for each supervised service, in start order
 */
public record StatusFile(List<ServiceStatus> services) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public StatusFile {
        services = List.copyOf(services);
    }

    /** Replaces the file. @throws UncheckedIOException if it cannot be written */
    void write(Path file) {
        try {
            AtomicFiles.write(file, JSON.writeValueAsString(this) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the file; empty if there is none or it is not a status file. */
    public static Optional<StatusFile> read(Path file) {
        try {
            return Optional.of(JSON.readValue(Files.readAllBytes(file), StatusFile.class));
        } catch (IOException absentOrDamaged) {
            return Optional.empty();
        }
    }
}
