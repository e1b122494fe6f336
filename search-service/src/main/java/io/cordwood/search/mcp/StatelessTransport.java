package io.cordwood.search.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** Gives messages to the SDK's server and waits for its answers. It keeps no sessions. Thread-safe. */
final class StatelessTransport implements McpStatelessServerTransport {
    private volatile McpStatelessServerHandler server;

    @Override
    public void setMcpHandler(McpStatelessServerHandler handler) {
        server = handler;
    }

    JSONRPCResponse answer(McpTransportContext context, JSONRPCRequest request) {
        return Objects.requireNonNull(server.handleRequest(context, request).block(), "A request has no answer");
    }

    void accept(McpTransportContext context, JSONRPCNotification notification) {
        server.handleNotification(context, notification).block();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }
}
