package io.cordwood.standalone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.PipelineParser;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What {@code tenant set} does to the tenant's pipeline. */
final class PipelineOptions {
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--pipeline",
            paramLabel = "FILE",
            description = "sets the pipeline to the JSON in this file; -: in standard input")
    private String file;

    @Option(names = "--no-pipeline", description = "removes the pipeline: rows pass as they are")
    private boolean none;

    /** Applies the options to a registered tenant. */
    @FunctionalInterface
    interface Change {
        void apply(CatalogClient catalog, String tenantId);
    }

    /**
     * Reads the file, before anything is changed.
     *
     * @param command the command that has these options
     */
    Change read(CommandLine command) {
        if (file != null && none) {
            throw new ParameterException(command, "--pipeline or --no-pipeline?");
        }
        if (none) {
            return CatalogClient::deletePipeline;
        }
        Optional<Pipeline> pipeline = Optional.ofNullable(file).map(PipelineOptions::pipeline);
        return (catalog, tenantId) -> pipeline.ifPresent(present -> catalog.putPipeline(tenantId, present));
    }

    private static Pipeline pipeline(String file) {
        String name = file.equals(STANDARD_INPUT) ? "standard input" : file;
        try {
            return PipelineParser.pipeline(json(name, bytes(file)));
        } catch (IOException e) {
            throw new CordwoodException("cannot read the pipeline: " + Errors.text(e), e);
        } catch (IllegalArgumentException e) {
            throw new CordwoodException("%s is no pipeline: %s".formatted(name, Errors.text(e)), e);
        }
    }

    private static byte[] bytes(String file) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return bytes(System.in);
        }
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return bytes(in);
        }
    }

    private static byte[] bytes(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(Pipeline.MAX_JSON_BYTES + 1);
        if (bytes.length > Pipeline.MAX_JSON_BYTES) {
            throw new IllegalArgumentException("it has more than %d KB".formatted(Pipeline.MAX_JSON_BYTES >> 10));
        }
        return bytes;
    }

    private static JsonNode json(String name, byte[] bytes) throws IOException {
        try {
            return Json.MAPPER
                    .reader()
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new CordwoodException(
                    "%s is not JSON: %s at line %d, column %d"
                            .formatted(
                                    name,
                                    e.getOriginalMessage(),
                                    e.getLocation().getLineNr(),
                                    e.getLocation().getColumnNr()),
                    e);
        }
    }
}
