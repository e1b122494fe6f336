package io.cordwood.gateway.otlp;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Cuts a request into parts of a bounded size, each with the resources and scopes of its records. Not thread-safe.
 *
 * <p>A part has some 1 MB of what no part before it has. A resource or scope that goes on from the last part comes on
 * top of that, so that few records below a large resource do not become many parts.
 */
final class RequestParts {
    private static final int PART_BYTES = 1 << 20;
    /** A row repeats its resource and scope. The decoder refuses records that grow much beyond this. */
    private static final long MAX_REPEATED_BYTES = 16 << 20;
    /** All parts together have at most so many times the bytes of the request. */
    private static final int MAX_GROWTH = 4;

    private static final int GROWTH_BYTES = 1 << 20;

    /** Of a resource, or a scope, beside its bytes. */
    private static final int GROUP_MEMORY_BYTES = 150;
    /** Of a range of the request: a log record, or a member of a resource. */
    private static final int RANGE_MEMORY_BYTES = 16;

    private final long maxBytes;
    private final Memory memory;
    private final List<RequestPart> finished = new ArrayList<>();
    private final RejectedRows rejected = new RejectedRows();
    private long tooLarge;
    private RequestPart part = new RequestPart();
    private Ranges resource = new Ranges();
    private Ranges scope = new Ranges();
    private boolean isNewResource;
    private boolean isNewScope;
    private long fresh;
    private long repeated;
    private long bytes;

    /**
     * @param requestBytes size of the request
     * @param memory counts the parts
     */
    RequestParts(int requestBytes, Memory memory) {
        this.memory = memory;
        maxBytes = (long) MAX_GROWTH * requestBytes + GROWTH_BYTES;
    }

    /** Adds a range to what is known of a resource or a scope. */
    void addTo(Ranges head, int from, int to) {
        memory.grow(RANGE_MEMORY_BYTES);
        head.add(from, to);
    }

    void startResource(Ranges head) {
        memory.grow(GROUP_MEMORY_BYTES);
        resource = head;
        isNewResource = true;
    }

    void startScope(Ranges head) {
        memory.grow(GROUP_MEMORY_BYTES);
        scope = head;
        isNewScope = true;
    }

    /** Leaves a log record out. */
    void reject(long number, String why) {
        rejected.add(number, why);
    }

    /**
     * Adds a log record, unless no record of Kafka can hold it.
     *
     * @param number its number in the request, from 1
     * @throws RefusedException if the request becomes too large in parts, or the gateway holds too much
     */
    void add(long number, int from, int to) {
        int size = to - from;
        if (new RequestPart().added(resource, scope, size) + RequestPart.GROUP_BYTES > LineBatches.MAX_ROW_BYTES) {
            tooLarge++;
            rejected.add(
                    number,
                    "It has %,d bytes with its resource and scope; at most %,d are allowed"
                            .formatted(size + resource.bytes() + scope.bytes(), LineBatches.MAX_ROW_BYTES));
            return;
        }
        long more = (long) size + (isNewResource ? resource.bytes() : 0) + (isNewScope ? scope.bytes() : 0);
        long heads = resource.bytes() + scope.bytes();
        if (part.records() > 0
                && (fresh + more > PART_BYTES
                        || repeated + heads > MAX_REPEATED_BYTES
                        || part.bytes() + part.added(resource, scope, size) > LineBatches.MAX_ROW_BYTES)) {
            end();
        }
        memory.grow(RANGE_MEMORY_BYTES);
        part.add(resource, scope, from, to);
        fresh += more;
        repeated += heads;
        isNewResource = false;
        isNewScope = false;
    }

    private void end() {
        bytes += part.bytes();
        if (bytes > maxBytes) {
            throw new RefusedException(
                    Reason.TOO_LARGE,
                    "The request becomes too large in parts, as each repeats a resource of %,d bytes: send fewer records at once"
                            .formatted(resource.bytes() + scope.bytes()));
        }
        finished.add(part);
        part = new RequestPart();
        fresh = 0;
        repeated = 0;
    }

    /**
     * The request as it goes to Kafka.
     *
     * @param body the request as it came
     * @param isReadable whether the ingest job reads it as it came
     * @param compose writes a part as a request
     * @throws RefusedException if all of its log records are left out, or the gateway holds too much
     */
    LogsRequest finish(byte[] body, boolean isReadable, Payload.Format format, Function<RequestPart, byte[]> compose) {
        if (part.records() > 0) {
            end();
        }
        if (finished.isEmpty() && rejected.count() > 0) {
            throw new RefusedException(
                    rejected.count() == tooLarge ? Reason.TOO_LARGE : Reason.MALFORMED, LogsRequest.message(rejected));
        }
        boolean goesAsItIs =
                finished.size() == 1 && rejected.count() == 0 && isReadable && body.length <= LineBatches.MAX_ROW_BYTES;
        List<Payload> payloads = finished.stream()
                .map(each -> new Payload(goesAsItIs ? body : composed(each, compose), format, each.records()))
                .toList();
        return new LogsRequest(payloads, rejected);
    }

    private byte[] composed(RequestPart finishedPart, Function<RequestPart, byte[]> compose) {
        memory.grow(finishedPart.bytes());
        return compose.apply(finishedPart);
    }
}
