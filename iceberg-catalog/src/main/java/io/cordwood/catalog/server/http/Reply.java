package io.cordwood.catalog.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** An HTTP response. Immutable, the body by convention. */
public final class Reply {
    private static final String JSON = "application/json";
    private static final int FIRST_REFUSAL = 400;

    private final int status;
    private final String contentType;
    private final byte[] body;
    private final Map<String, String> headers;

    public Reply(int status, String contentType, byte[] body) {
        this(status, contentType, body, Map.of());
    }

    private Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.headers = Map.copyOf(headers);
    }

    int status() {
        return status;
    }

    boolean isSuccess() {
        return status < FIRST_REFUSAL;
    }

    String contentType() {
        return contentType;
    }

    byte[] body() {
        return body;
    }

    Map<String, String> headers() {
        return headers;
    }

    /** This response with one more header. */
    public Reply with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new Reply(status, contentType, body, more);
    }

    /** This response, which holds a secret, for no cache. */
    public Reply secret() {
        return with("Cache-Control", "no-store");
    }

    public static Reply noContent() {
        return new Reply(204, JSON, new byte[0]);
    }

    public static Reply json(JsonNode json) {
        return json(200, json);
    }

    /** JSON with a status of its own. */
    public static Reply json(int status, JsonNode json) {
        return new Reply(status, JSON, Json.bytes(json));
    }

    /** Text that is JSON. */
    public static Reply json(String json) {
        return json(200, json);
    }

    static Reply json(int status, String json) {
        return new Reply(status, JSON, json.getBytes(StandardCharsets.UTF_8));
    }

    public static Reply text(String text) {
        return new Reply(200, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }
}
