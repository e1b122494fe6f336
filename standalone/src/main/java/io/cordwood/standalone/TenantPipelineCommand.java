package io.cordwood.standalone;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.PipelineParser;
import io.cordwood.standalone.error.CordwoodException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tenant pipeline}: a tenant's pipeline. */
@Command(
        name = "pipeline",
        description = {
            "Prints a tenant's pipeline as JSON, which 'tenant set --pipeline' takes.",
            "A pipeline is what the ingest gateway does to the tenant's rows: see docs/use/pipelines.md."
        })
final class TenantPipelineCommand implements Callable<Integer> {
    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private TokenOptions tokenOptions;

    @Parameters(paramLabel = "TENANT", converter = TenantId.class, description = "the tenant's id")
    private String id;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws JsonProcessingException {
        try (CatalogClient catalog = tokenOptions.connect(homeOptions.home())) {
            Optional<Pipeline> pipeline = catalog.pipeline(id);
            if (pipeline.isEmpty()) {
                throw new CordwoodException(
                        catalog.tenant(id).isEmpty()
                                ? "there is no tenant " + id
                                : "tenant %s has no pipeline".formatted(id));
            }
            spec.commandLine()
                    .getOut()
                    .println(Json.MAPPER
                            .writerWithDefaultPrettyPrinter()
                            .writeValueAsString(PipelineParser.toJson(pipeline.get())));
        }
        return 0;
    }

    /** The pipeline in words. */
    static String inWords(Optional<Pipeline> pipeline) {
        return pipeline.map(present -> present.steps().size())
                .map(steps -> steps == 1 ? "1 step" : steps + " steps")
                .orElse("none");
    }
}
