package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.EventTime;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.json.JsonComposer;
import io.cordwood.record.json.TextSink;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Rewrites OTLP requests as rows in JSON that decode to the same columns: an object for each log record, with the names
 * of the columns and the time as {@code ts}. Not thread-safe.
 */
public final class OtlpJsonLines {
    private final Sink sink = new Sink();
    private final OtlpRows rows = new OtlpRows(sink);
    private final OtlpJsonDecoder json = new OtlpJsonDecoder(rows);
    private final OtlpProtobufDecoder protobuf = new OtlpProtobufDecoder(rows);

    /** Takes rows. */
    @FunctionalInterface
    public interface Receiver {
        /** Takes a row: a JSON object on one line. The bytes change afterwards. */
        void add(byte[] data, int from, int to);
    }

    /**
     * Rewrites a request in protobuf.
     *
     * @param maxBytes of all its rows together
     * @throws UndecodableRecordException if it is malformed, or its rows have more bytes; some rows may have been added
     */
    public void rewriteProtobuf(byte[] request, long maxBytes, Receiver receiver) throws UndecodableRecordException {
        start(maxBytes, receiver);
        try {
            protobuf.decode(request);
        } finally {
            rows.endRecord();
        }
    }

    /** The same for a request in JSON. */
    public void rewriteJson(byte[] request, long maxBytes, Receiver receiver) throws UndecodableRecordException {
        start(maxBytes, receiver);
        try {
            json.decode(request, 0, request.length);
        } finally {
            rows.endRecord();
        }
    }

    private void start(long maxBytes, Receiver receiver) {
        sink.budget = maxBytes;
        sink.maxBytes = maxBytes;
        sink.written = 0;
        sink.receiver = receiver;
    }

    /** Writes each row after its time, which is known last. */
    private static final class Sink implements RowSink {
        private static final byte[] EMPTY = "{}".getBytes(US_ASCII);
        private static final byte[] TIME = "ts".getBytes(US_ASCII);
        private static final long EARLIEST_NUMBER = 100_000_000_000_000L;

        private final TextSink scratch = new TextSink();
        private final JsonComposer members = new JsonComposer();
        private final JsonComposer row = new JsonComposer();
        /** What is left for names and values, before they are escaped. */
        private long budget;

        private long maxBytes;
        private long written;
        private Receiver receiver = (data, from, to) -> {};

        @Override
        public TextSink scratch() {
            return scratch;
        }

        @Override
        public void charge(long bytes) throws UndecodableRecordException {
            budget -= bytes;
            if (budget < 0) {
                throw tooLarge();
            }
        }

        private static UndecodableRecordException tooLarge() {
            return new UndecodableRecordException(Reason.TOO_LARGE, "As rows, the request is many times its size");
        }

        @Override
        public void startRow() {
            members.reset();
        }

        @Override
        public void timeWanted(boolean wanted) {
            // Who reads the row looks for its time in the same order: ts comes first
        }

        @Override
        public void text(MemberName name, ValueKind kind, byte[] source, int from, int to) {
            name(name);
            if (kind == ValueKind.TEXT) {
                members.string(source, from, to);
            } else {
                members.token(source, from, to);
            }
        }

        @Override
        public void integer(MemberName name, long value) {
            name(name);
            members.number(value);
        }

        @Override
        public void bool(MemberName name, boolean value) {
            name(name);
            members.token(value ? "true" : "false");
        }

        @Override
        public void emptyObject(MemberName name) {
            name(name);
            members.token(EMPTY, 0, EMPTY.length);
        }

        private void name(MemberName name) {
            members.name(name.originalBytes(), 0, name.originalBytes().length);
        }

        @Override
        public void endRow(long eventMicros, int ordinal) throws UndecodableRecordException {
            row.reset();
            row.open('{');
            if (eventMicros != EventTime.NONE) {
                row.name(TIME, 0, TIME.length);
                writeTime(eventMicros);
            }
            if (members.length() > 0) {
                row.token(members.array(), 0, members.length());
            }
            row.close('}');
            written += row.length();
            if (written > maxBytes) {
                throw tooLarge();
            }
            receiver.add(row.array(), 0, row.length());
        }

        /** A number would be taken for milliseconds if it is small. */
        private void writeTime(long micros) {
            if (micros >= EARLIEST_NUMBER) {
                row.number(micros);
            } else {
                row.string(Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString());
            }
        }
    }
}
