package io.cordwood.search.mcp;

import io.cordwood.search.api.ApiMetrics;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.RequestFields;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Makes tools callable: what fails, fails with the API's message, so that a model can correct itself. Thread-safe. */
final class ToolCalls {
    /** The caller's request in the context of a call. */
    private static final String ARRIVAL = "arrival";

    private final ApiMetrics metrics;

    ToolCalls(ApiMetrics metrics) {
        this.metrics = metrics;
    }

    /** What calls know about the request that they come in. */
    static McpTransportContext context(Arrival arrival) {
        return McpTransportContext.create(Map.of(ARRIVAL, arrival));
    }

    /** A tool for the SDK. */
    SyncToolSpecification of(AgentTool tool) {
        Tool described = Tool.builder(tool.name(), tool.schema().toMap())
                .title(tool.title())
                .description(tool.description())
                .annotations(ToolAnnotations.builder()
                        .title(tool.title())
                        .readOnlyHint(true)
                        .destructiveHint(false)
                        .idempotentHint(true)
                        .openWorldHint(false)
                        .build())
                .build();
        return new SyncToolSpecification(described, (context, request) -> call(tool, context, request));
    }

    private CallToolResult call(AgentTool tool, McpTransportContext context, CallToolRequest request) {
        Arrival arrival = (Arrival) context.get(ARRIVAL);
        long begun = System.nanoTime();
        int status = 200;
        try {
            Map<String, Object> arguments =
                    Optional.ofNullable(request.arguments()).orElse(Map.of());
            return result(tool.call(arrival, RequestFields.of(arguments)), false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The service stops", e);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            ApiException error = Failures.of(e);
            status = error.status();
            return result(text(error), true);
        } finally {
            metrics.answered("mcp_" + tool.name(), status, System.nanoTime() - begun);
        }
    }

    private static CallToolResult result(String text, boolean isError) {
        return CallToolResult.builder().addTextContent(text).isError(isError).build();
    }

    private static String text(ApiException error) {
        StringBuilder text = new StringBuilder(error.code()).append(": ").append(error.getMessage());
        error.position().ifPresent(position -> text.append(" (at character %d of query)".formatted(position)));
        error.sql().ifPresent(sql -> text.append("\nThe same in SQL:\n").append(sql));
        return text.toString();
    }
}
