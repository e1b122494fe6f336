package io.cordwood.gateway.otlp;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;

/** How deep values may be nested. Stateless. */
final class Depth {
    /** Protobuf's own readers have the same limit, and so has the ingest job. */
    private static final int MAX_DEPTH = 100;

    private Depth() {}

    /** One level deeper into a value. */
    static int deeper(int depth) throws UndecodableRecordException {
        if (depth == MAX_DEPTH) {
            throw new UndecodableRecordException(
                    Reason.TOO_DEEP, "A value is nested more than %d levels deep".formatted(MAX_DEPTH));
        }
        return depth + 1;
    }
}
