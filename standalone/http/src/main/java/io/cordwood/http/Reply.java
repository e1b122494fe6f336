package io.cordwood.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;

/** An HTTP response. Immutable, the body by convention. */
public final class Reply {
    private static final String JSON = "application/json";
    private static final int OK = 200;
    private static final int FIRST_REFUSAL = 400;

    private final int status;
    private final String contentType;
    private final byte[] body;
    private final Map<String, String> headers;

    private Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.headers = Map.copyOf(headers);
    }

    public int status() {
        return status;
    }

    /** Size of the body. */
    public int bodyBytes() {
        return body.length;
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
        return json(204, new byte[0]);
    }

    /** JSON in UTF-8. */
    public static Reply json(byte[] json) {
        return json(OK, json);
    }

    /** JSON in UTF-8 with a status of its own. */
    public static Reply json(int status, byte[] json) {
        return new Reply(status, JSON, json, Map.of());
    }

    /** Text that is JSON. */
    public static Reply json(String json) {
        return json(OK, json);
    }

    /** Text that is JSON, with a status of its own. */
    public static Reply json(int status, String json) {
        return json(status, json.getBytes(StandardCharsets.UTF_8));
    }

    /** Metrics in the text format of Prometheus. */
    public static Reply text(String text) {
        return new Reply(
                OK, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** A body of any media type. */
    public static Reply of(int status, String contentType, byte[] body) {
        return new Reply(status, contentType, body, body.length > 0 ? Map.of() : Map.of("Content-Type", contentType));
    }

    /** Plain text with a status of its own. */
    public static Reply plain(int status, String text) {
        return new Reply(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /**
     * Answers a request with this. After a refusal it reads the rest of the request's body before it completes the
     * callback, and blocks meanwhile: a client that still sends would lose the response with its connection.
     */
    public void write(Request request, Response response, Callback callback) {
        response.setStatus(status);
        headers.forEach(response.getHeaders()::put);
        boolean hasBody = body.length > 0 && !request.getMethod().equals("HEAD");
        if (hasBody) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        }
        ByteBuffer content = hasBody ? ByteBuffer.wrap(body) : null;
        if (status < FIRST_REFUSAL
                || request.getLength() == 0
                || request.getHeaders().contains(HttpHeader.EXPECT)) {
            response.write(true, content, callback);
            return;
        }
        try (Blocker.Callback written = Blocker.callback()) {
            response.write(true, content, written);
            written.block();
            RequestBody.discard(request);
            callback.succeeded();
        } catch (IOException e) {
            callback.failed(e);
        }
    }
}
