package io.cordwood.search.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import reactor.core.publisher.Mono;

/** Gives messages to the SDK's server and waits for its answers. It keeps no sessions. Thread-safe. */
final class StatelessTransport implements McpStatelessServerTransport {
    private static final Set<String> WITH_PARAMETERS = Set.of(McpSchema.METHOD_INITIALIZE, McpSchema.METHOD_TOOLS_CALL);

    private volatile McpStatelessServerHandler server;

    @Override
    public void setMcpHandler(McpStatelessServerHandler handler) {
        server = handler;
    }

    /** The server's answer; an error if the parameters are not of the method. */
    JSONRPCResponse answer(McpTransportContext context, JSONRPCRequest request) {
        if (!hasParameters(request)) {
            return malformed(request);
        }
        try {
            return Objects.requireNonNull(server.handleRequest(context, request).block(), "A request has no answer");
        } catch (IllegalArgumentException _) {
            return malformed(request);
        }
    }

    private static boolean hasParameters(JSONRPCRequest request) {
        return request.params() == null ? !WITH_PARAMETERS.contains(request.method()) : request.params() instanceof Map;
    }

    private static JSONRPCResponse malformed(JSONRPCRequest request) {
        return JSONRPCResponse.error(
                request.id(),
                new JSONRPCError(
                        ErrorCodes.INVALID_PARAMS,
                        "The parameters are not those of the method '%s'".formatted(request.method())));
    }

    void accept(McpTransportContext context, JSONRPCNotification notification) {
        server.handleNotification(context, notification).block();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }
}
