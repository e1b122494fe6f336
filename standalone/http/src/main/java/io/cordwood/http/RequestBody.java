package io.cordwood.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.eclipse.jetty.server.Request;

/** Reads the body of a request, within bounds. Stateless. */
public final class RequestBody {
    /** What a client may still be sending when it is refused. */
    private static final long MAX_DISCARDED_BYTES = 2L * Sender.SERVICE.maxBodyBytes();

    private static final Duration MAX_DISCARDING = Duration.ofMinutes(1);
    /** Anybody may make the service keep one, by a body that does not end. */
    private static final int DISCARD_BYTES = 1 << 10;

    private static final int READ_BYTES = 8 << 10;

    private RequestBody() {}

    /**
     * Checks the length that the request states, if any, in bytes.
     *
     * @throws BodyTooLargeException if it is larger than the limit
     */
    public static void checkLength(Request request, long limit) {
        if (request.getLength() > limit) {
            throw new BodyTooLargeException(limit);
        }
    }

    /**
     * The body.
     *
     * @param limit its largest size in bytes
     * @param held gets the body's bytes as they come
     * @throws BodyTooLargeException if it is larger, also if the request did not say so
     * @throws BusyException if the service holds too many bodies
     * @throws SlowBodyException if it takes too long
     * @throws IOException if the client is gone
     */
    public static byte[] read(Request request, long limit, BodyBudget.Hold held) throws IOException {
        checkLength(request, limit);
        if (request.getLength() == 0 || limit == 0) {
            return new byte[0];
        }
        // Not closed: what is left is discarded after the response
        InputStream in = Request.asInputStream(request);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] buffer = new byte[READ_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            held.grow(read);
            body.write(buffer, 0, read);
            if (body.size() > limit) {
                throw new BodyTooLargeException(limit);
            }
        }
        return body.toByteArray();
    }

    /**
     * Reads the rest of a body without keeping it, for some time. A connection that is closed while its client sends
     * loses the response.
     */
    static void discard(Request request) {
        if (request.getLength() == 0) {
            return;
        }
        long deadline = System.nanoTime() + MAX_DISCARDING.toNanos();
        byte[] buffer = new byte[DISCARD_BYTES];
        try {
            InputStream in = Request.asInputStream(request);
            long discarded = 0;
            int read = 0;
            while (read >= 0 && discarded < MAX_DISCARDED_BYTES && System.nanoTime() - deadline < 0) {
                read = in.read(buffer);
                discarded += read;
            }
        } catch (IOException e) {
            // The client has gone, and the server closes the connection.
            return;
        }
    }
}
