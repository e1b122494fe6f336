package io.cordwood.gateway.door;

import com.github.luben.zstd.ZstdInputStream;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.zip.InflaterInputStream;
import org.eclipse.jetty.server.Request;

/** Reads and unpacks the bodies of requests, within bounds. Stateless. */
final class Bodies {
    private static final Duration MAX_READING = Duration.ofMinutes(1);
    private static final int FIRST_BYTES = 16 << 10;
    /** A frame that needs more memory to unpack is refused. */
    private static final int MAX_ZSTD_WINDOW_LOG = 24;

    private Bodies() {}

    static byte[] read(Request request, String encoding, Intake.Delivery to) throws IOException {
        boolean isPacked = isPacked(encoding);
        if (!isPacked && request.getLength() > to.maxBytes()) {
            // Before anything of it is read
            throw new RefusedException(
                    Reason.TOO_LARGE,
                    "The body has %,d bytes; a request may have %,d: send it in parts"
                            .formatted(request.getLength(), to.maxBytes()));
        }
        int expected = isPacked || request.getLength() < 0 ? FIRST_BYTES : Math.toIntExact(request.getLength());
        // Not closed: what is left of the body is discarded after the answer
        return read(Request.asInputStream(request), encoding, expected, new Bounds(to::count, to::hold));
    }

    private static boolean isPacked(String encoding) {
        return !encoding.isEmpty() && !encoding.equalsIgnoreCase("identity");
    }

    /**
     * What refuses a body that is too large.
     *
     * @param count takes unpacked bytes that have come
     * @param hold takes bytes of memory that the body will need
     */
    record Bounds(IntConsumer count, LongConsumer hold) {}

    /** @param expected bytes of the unpacked body, as far as known */
    static byte[] read(InputStream in, String encoding, int expected, Bounds bounds) throws IOException {
        Arriving arriving = new Arriving(in);
        if (!isPacked(encoding)) {
            return read(arriving, expected, bounds);
        }
        try (InputStream unpacked = unpacked(arriving, encoding.strip().toLowerCase(Locale.ROOT))) {
            byte[] body = read(unpacked, expected, bounds);
            arriving.requireEnd();
            return body;
        } catch (IOException e) {
            if (arriving.failed) {
                throw e;
            }
            throw RefusedException.malformed("The body is not what Content-Encoding says: " + e.getMessage());
        }
    }

    private static InputStream unpacked(InputStream packed, String encoding) throws IOException {
        return switch (encoding) {
            case "gzip", "x-gzip" -> new GzipMembers(packed);
            case "deflate" -> new InflaterInputStream(packed);
            case "zstd" -> new ZstdInputStream(packed).setLongMax(MAX_ZSTD_WINDOW_LOG);
            default ->
                throw new RefusedException(
                        Reason.UNSUPPORTED,
                        "Content-Encoding '%s' is not known: use gzip, zstd or deflate".formatted(encoding));
        };
    }

    private static byte[] read(InputStream in, int expected, Bounds bounds) throws IOException {
        byte[] body = allocated(Math.clamp(expected, 1, FIRST_BYTES), bounds);
        int length = 0;
        while (true) {
            int read = in.read(body, length, body.length - length);
            if (read < 0) {
                return length == body.length ? body : Arrays.copyOf(body, length);
            }
            bounds.count().accept(read);
            length += read;
            if (length == body.length) {
                int next = in.read();
                if (next < 0) {
                    return body;
                }
                bounds.count().accept(1);
                int larger = Math.max(expected > length ? Math.min(expected, 2 * length) : 2 * length, length + 1);
                bounds.hold().accept(larger - length);
                body = Arrays.copyOf(body, larger);
                body[length++] = (byte) next;
            }
        }
    }

    private static byte[] allocated(int bytes, Bounds bounds) {
        bounds.hold().accept(bytes);
        return new byte[bytes];
    }

    /** A body on its way. It knows whether it is the client that failed, and ends one that takes too long. */
    private static final class Arriving extends InputStream {
        private final InputStream in;
        private final long deadline = System.nanoTime() + MAX_READING.toNanos();
        private boolean failed;

        Arriving(InputStream in) {
            this.in = in;
        }

        /** Some readers take a body that breaks off behind a member for one that ends there. */
        void requireEnd() throws IOException {
            if (failed || read() >= 0) {
                throw new IOException("there is more behind it");
            }
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            try {
                int read = in.read(target, from, length);
                if (System.nanoTime() - deadline > 0) {
                    throw new RefusedException(
                            Reason.TOO_SLOW,
                            "The body took longer than %d s to come".formatted(MAX_READING.toSeconds()));
                }
                return read;
            } catch (IOException e) {
                failed = true;
                throw e;
            }
        }
    }
}
