package io.cordwood.standalone.home;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;

/**
 * {@code endpoints.json}: the addresses of a running stack. Its keys are a contract with other programs. An empty text
 * means that the part does not run; an empty {@code ca}, that the stack has no authentication.
 */
public record Endpoints(
        String kafka,
        String redis,
        String catalog,
        String flink,
        String compaction,
        String balancer,
        String trino,
        String search,
        String gateway,
        @JsonProperty("otlp_grpc") String otlpGrpc,
        String syslog,
        String warehouse,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String ca) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public Endpoints {
        // A stack that an earlier version started does not have them
        search = requireNonNullElse(search, "");
        gateway = requireNonNullElse(gateway, "");
        otlpGrpc = requireNonNullElse(otlpGrpc, "");
        syslog = requireNonNullElse(syslog, "");
        ca = requireNonNullElse(ca, "");
    }

    /** Writes the file of a stack that is ready. @throws CordwoodException if it cannot be written */
    public void write(Home home) {
        try {
            AtomicFiles.write(home.endpoints(), JSON.writeValueAsString(this) + "\n");
        } catch (IOException e) {
            throw new CordwoodException("cannot write " + home.endpoints(), e);
        }
    }

    /** Reads the file of the home. @throws CordwoodException if no stack is ready there */
    public static Endpoints read(Home home) {
        try {
            return JSON.readValue(Files.readAllBytes(home.endpoints()), Endpoints.class);
        } catch (NoSuchFileException e) {
            throw new CordwoodException(
                    "no stack is ready in %s: start one with `bin/cordwood up`".formatted(home.directory()), e);
        } catch (IOException e) {
            throw new CordwoodException("cannot read " + home.endpoints() + ": " + Errors.text(e), e);
        }
    }
}
