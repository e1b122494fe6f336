package io.cordwood.search.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cordwood.http.Reply;
import io.cordwood.http.SiteGuard;
import io.cordwood.search.api.ApiMetrics;
import io.cordwood.search.api.Arrival;
import io.cordwood.search.api.Questions;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.ErrorBody;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.QuestionBodies;
import io.cordwood.search.sql.ReadOnlySql;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The Model Context Protocol at {@code /mcp}: its streamable HTTP without sessions and streams, so that any node
 * answers any request. Thread-safe.
 *
 * <p>A caller is authenticated before the body is read, and each tool asks with the caller's grants.
 */
public final class McpHandler extends Handler.Abstract {
    private static final String PATH = "/mcp";
    private static final String VERSION = "MCP-Protocol-Version";
    private static final String JSON_TYPE = "application/json";
    private static final int UNSUPPORTED_VERSION = -32_022;
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final McpJsonMapper MESSAGES = new JacksonMcpJsonMapper(JSON);

    private final Questions questions;
    private final QuestionBodies bodies;
    private final ApiMetrics metrics;
    private final StatelessTransport transport = new StatelessTransport();

    /** @param sql answers SQL; without it there is no tool for it */
    public McpHandler(Questions questions, Optional<ReadOnlySql> sql, QuestionBodies bodies, ApiMetrics metrics) {
        this.questions = questions;
        this.bodies = bodies;
        this.metrics = metrics;
        AgentServer.start(transport, MESSAGES, questions, sql, metrics);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!PATH.equals(request.getHttpURI().getPath())) {
            return false;
        }
        long begun = System.nanoTime();
        int status = 200;
        try {
            Reply reply = reply(request);
            status = reply.status();
            reply.write(request, response, callback);
        } catch (IOException e) {
            status = Failures.CLIENT_LEFT;
            callback.failed(e);
        } catch (RuntimeException | OutOfMemoryError e) {
            ApiException error = Failures.of(e);
            status = error.status();
            ErrorBody.reply(error).write(request, response, callback);
        } finally {
            metrics.answered("mcp", status, System.nanoTime() - begun);
        }
        return true;
    }

    private Reply reply(Request request) throws IOException {
        SiteGuard.requireSameOrigin(request);
        Arrival arrival = questions.arrive(request);
        if (!request.getMethod().equals("POST")) {
            return ErrorBody.reply(new ApiException(405, "method_not_allowed", "This path takes POST"))
                    .with("Allow", "POST");
        }
        String type = Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                .orElse("");
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase(JSON_TYPE)) {
            throw new ApiException(415, "unsupported_media_type", "The body must be of type " + JSON_TYPE);
        }
        byte[] body = bodies.read(request, arrival.caller());
        return reply(arrival, Optional.ofNullable(request.getHeaders().get(VERSION)), body);
    }

    private Reply reply(Arrival arrival, Optional<String> version, byte[] body) throws IOException {
        McpSchema.JSONRPCMessage message;
        try {
            if (!JSON.readTree(body).isObject()) {
                return error(ErrorCodes.INVALID_REQUEST, "The body must be one message, a JSON object");
            }
            message = McpSchema.deserializeJsonRpcMessage(MESSAGES, new String(body, UTF_8));
        } catch (JsonProcessingException e) {
            return error(ErrorCodes.PARSE_ERROR, "The body is not JSON: " + e.getOriginalMessage());
        } catch (IllegalArgumentException _) {
            return error(ErrorCodes.INVALID_REQUEST, "The body is no message of JSON-RPC 2.0");
        }
        McpTransportContext context = ToolCalls.context(arrival);
        return switch (message) {
            case JSONRPCRequest request
            when version.isPresent() && !supports(version.get()) ->
                json(
                        400,
                        JSONRPCResponse.error(
                                request.id(),
                                new JSONRPCError(
                                        UNSUPPORTED_VERSION,
                                        "The server does not support this version of the protocol",
                                        Map.of(
                                                "supported",
                                                transport.protocolVersions(),
                                                "requested",
                                                version.get()))));
            case JSONRPCRequest request -> json(200, transport.answer(context, request));
            case JSONRPCNotification notification -> {
                transport.accept(context, notification);
                yield Reply.json(202, new byte[0]);
            }
            default -> error(ErrorCodes.INVALID_REQUEST, "The server takes requests and notifications");
        };
    }

    private boolean supports(String version) {
        return transport.protocolVersions().contains(version);
    }

    /** An error of a message whose id is not known. */
    private static Reply error(int code, String message) throws IOException {
        return Reply.json(
                400,
                JSON.writeValueAsBytes(JSON.createObjectNode()
                        .put("jsonrpc", McpSchema.JSONRPC_VERSION)
                        .putNull("id")
                        .set("error", JSON.createObjectNode().put("code", code).put("message", message))));
    }

    private static Reply json(int status, JSONRPCResponse message) throws IOException {
        return Reply.json(status, MESSAGES.writeValueAsBytes(message)).with("Cache-Control", "no-store");
    }
}
