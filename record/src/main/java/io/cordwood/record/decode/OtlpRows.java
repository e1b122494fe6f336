package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.EventTime;
import io.cordwood.record.json.JsonComposer;

/**
 * Converts the log records of an OTLP logs export request to rows: composes each as an equivalent JSON object, and
 * decodes it like any other. Not thread-safe.
 *
 * <p>A row has the record's own fields, then its attributes under their own names, then those of resource and scope
 * under {@code resource.} and {@code scope.}.
 */
final class OtlpRows {
    /** Maximum nesting depth of values; protobuf's own readers have the same limit. */
    static final int MAX_DEPTH = 100;

    private final JsonRowDecoder rows;
    private final JsonComposer row = new JsonComposer();
    private final JsonComposer resource = new JsonComposer();
    private final JsonComposer scope = new JsonComposer();
    private long timeNanos;
    private long observedNanos;
    private int ordinal;

    OtlpRows(JsonRowDecoder rows) {
        this.rows = rows;
    }

    void startRequest() {
        ordinal = 0;
    }

    /** Starts the next resource, with its members without braces. */
    JsonComposer startResource() {
        resource.reset();
        scope.reset();
        return resource;
    }

    /** Starts the next scope, with its members without braces. */
    JsonComposer startScope() {
        scope.reset();
        return scope;
    }

    /** Starts the next log record, with its members without braces. */
    JsonComposer startRow() {
        row.reset();
        row.open('{');
        timeNanos = 0;
        observedNanos = 0;
        return row;
    }

    void timeNanos(long nanos) {
        timeNanos = nanos;
    }

    void observedNanos(long nanos) {
        observedNanos = nanos;
    }

    /** Adds the row. Its time is the record's time, else the time of observation. */
    void endRow() throws UndecodableRecordException {
        if (observedNanos != 0) {
            row.name("observed_time_unix_nano");
            row.token(Long.toUnsignedString(observedNanos));
        }
        addMembers("resource", resource);
        addMembers("scope", scope);
        row.close('}');
        long nanos = timeNanos != 0 ? timeNanos : observedNanos;
        long micros = nanos == 0 ? EventTime.NONE : EventTime.ofNanos(nanos);
        try {
            rows.decode(row.array(), 0, row.length(), micros, ordinal++);
        } catch (UndecodableRecordException e) {
            throw e.reason() == Reason.MALFORMED_JSON ? malformed(e.getMessage()) : e;
        }
    }

    private void addMembers(String name, JsonComposer members) {
        if (members.length() > 0) {
            row.name(name);
            row.open('{');
            row.members(members);
            row.close('}');
        }
    }

    /** One level deeper into a value. */
    static int deeper(int depth) throws UndecodableRecordException {
        if (depth == MAX_DEPTH) {
            throw new UndecodableRecordException(
                    Reason.TOO_DEEP, "A value is nested more than %d levels deep".formatted(MAX_DEPTH));
        }
        return depth + 1;
    }

    static UndecodableRecordException malformed(String message) {
        return new UndecodableRecordException(Reason.MALFORMED_OTLP, message);
    }
}
