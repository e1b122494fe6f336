package io.cordwood.catalog.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.json.Json;
import java.nio.charset.StandardCharsets;

/** An HTTP response. Immutable, the body by convention. */
public final class Reply {
    private static final String JSON = "application/json";

    private final int status;
    private final String contentType;
    private final byte[] body;

    public Reply(int status, String contentType, byte[] body) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
    }

    int status() {
        return status;
    }

    String contentType() {
        return contentType;
    }

    byte[] body() {
        return body;
    }

    public static Reply noContent() {
        return new Reply(204, JSON, new byte[0]);
    }

    public static Reply json(JsonNode json) {
        return new Reply(200, JSON, Json.bytes(json));
    }

    static Reply json(int status, String json) {
        return new Reply(status, JSON, json.getBytes(StandardCharsets.UTF_8));
    }

    public static Reply text(String text) {
        return new Reply(200, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }
}
