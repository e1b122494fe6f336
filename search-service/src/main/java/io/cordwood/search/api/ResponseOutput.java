package io.cordwood.search.api;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;

/** The body of a response with status 200. Not thread-safe. */
final class ResponseOutput implements Output {
    private static final int BUFFER_BYTES = 32 << 10;

    private final Response response;
    private boolean hasBegun;

    ResponseOutput(Response response) {
        this.response = response;
    }

    @Override
    public OutputStream begin(String contentType) {
        hasBegun = true;
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        return new BufferedOutputStream(Content.Sink.asOutputStream(response), BUFFER_BYTES);
    }

    /** Whether a part of the response may have been sent. */
    boolean hasBegun() {
        return hasBegun;
    }
}
