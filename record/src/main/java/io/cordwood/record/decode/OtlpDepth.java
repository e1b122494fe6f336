package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;

/** How deep the values of an OTLP request may be nested. Stateless. */
public final class OtlpDepth {
    /** Levels; protobuf's own readers have the same limit. */
    static final int MAX = 100;

    private OtlpDepth() {}

    /**
     * One level deeper into a value.
     *
     * @throws UndecodableRecordException if that is too deep
     */
    public static int deeper(int depth) throws UndecodableRecordException {
        if (depth == MAX) {
            throw new UndecodableRecordException(
                    Reason.TOO_DEEP, "A value is nested more than %d levels deep".formatted(MAX));
        }
        return depth + 1;
    }
}
