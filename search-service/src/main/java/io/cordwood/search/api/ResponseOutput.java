package io.cordwood.search.api;

import io.cordwood.http.Reply;
import io.cordwood.search.http.ApiException;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The body of a response with status 200. Not thread-safe. */
public final class ResponseOutput implements Output {
    private static final int BUFFER_BYTES = 32 << 10;

    private final Request request;
    private final Response response;
    private final long deadline;
    private Optional<OutputStream> body = Optional.empty();

    /**
     * The body of a response.
     *
     * @param deadline by {@link System#nanoTime}: a client that reads too slowly must not keep others waiting; events
     *     have none
     */
    public ResponseOutput(Request request, Response response, long deadline) {
        this.request = request;
        this.response = response;
        this.deadline = deadline;
    }

    @Override
    public boolean isAccepted(String contentType) {
        return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT).stream()
                .anyMatch(accepted -> accepted.equalsIgnoreCase(contentType));
    }

    @Override
    public OutputStream begin(String contentType) {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        OutputStream sink = Content.Sink.asOutputStream(response);
        OutputStream begun = new BufferedOutputStream(
                contentType.startsWith(TailOperation.EVENTS) ? sink : new Timed(sink, deadline), BUFFER_BYTES);
        body = Optional.of(begun);
        return begun;
    }

    /** Ends the body. Without it the client sees a body that breaks off. @throws IOException if the client has gone */
    public void end() throws IOException {
        if (body.isPresent()) {
            body.get().close();
        }
    }

    /** Answers with an error. Too late for its status, the client sees a body that breaks off. */
    public void refuse(ApiException error, Reply reply, Callback callback) {
        if (body.isPresent()) {
            callback.failed(error);
        } else {
            reply.write(request, response, callback);
        }
    }

    /** Fails once its time is up. */
    private static final class Timed extends FilterOutputStream {
        private final long deadline;

        Timed(OutputStream out, long deadline) {
            super(out);
            this.deadline = deadline;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("The client reads too slowly");
            }
            out.write(bytes, from, length);
        }
    }
}
