package io.cordwood.gateway.loki;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.ProtobufReader;
import java.util.Arrays;

/** Reads a push request in protobuf, as package {@code logproto} of Loki defines it. Not thread-safe. */
final class ProtobufPush {
    private static final int NANOS_PER_SECOND = 1_000_000_000;
    /** Of a name and a value. */
    private static final int BOUNDS = 4;

    private final byte[] body;
    private final PushedRows rows;
    private final LabelText labelText = new LabelText();
    private int[] metadata = new int[16 * BOUNDS];
    private int metadataLength;
    private boolean hasTime;
    private long seconds;
    private int nanos;

    ProtobufPush(byte[] body, PushedRows rows) {
        this.body = body;
        this.rows = rows;
    }

    /**
     * Reads all. Labels that are malformed cost only their stream.
     *
     * @throws RefusedException if the request is not protobuf
     */
    void read() {
        try {
            ProtobufReader request = new ProtobufReader(body, 0, body.length);
            while (request.next()) {
                if (request.field() == 1) {
                    stream(request.start(), request.stop());
                }
            }
        } catch (UndecodableRecordException e) {
            throw RefusedException.malformed("The request is malformed: " + e.getMessage());
        }
    }

    private void stream(int from, int to) throws UndecodableRecordException {
        int labelsFrom = from;
        int labelsTo = from;
        int count = 0;
        ProtobufReader first = new ProtobufReader(body, from, to);
        while (first.next()) {
            if (first.field() == 1) {
                labelsFrom = first.start();
                labelsTo = first.stop();
            } else if (first.field() == 2) {
                count++;
            }
        }
        rows.labels().clear();
        try {
            labelText.read(body, labelsFrom, labelsTo, rows.labels());
        } catch (RefusedException e) {
            if (e.reason() != RefusedException.Reason.MALFORMED) {
                throw e;
            }
            rows.reject(count, e.getMessage());
            return;
        }
        ProtobufReader entries = new ProtobufReader(body, from, to);
        while (entries.next()) {
            if (entries.field() == 2) {
                entry(entries.message());
            }
        }
    }

    private void entry(ProtobufReader fields) throws UndecodableRecordException {
        hasTime = false;
        metadataLength = 0;
        int lineFrom = 0;
        int lineTo = 0;
        while (fields.next()) {
            switch (fields.field()) {
                case 1 -> time(fields.message());
                case 2 -> {
                    lineFrom = fields.start();
                    lineTo = fields.stop();
                }
                case 3 -> pair(fields.message());
                default -> {
                    // Unknown, or what Loki itself has found
                }
            }
        }
        if (hasTime) {
            rows.start(seconds, nanos);
        } else {
            rows.start();
        }
        rows.line(body, lineFrom, lineTo);
        for (int i = 0; i < metadataLength; i += BOUNDS) {
            rows.metadata(body, metadata[i], metadata[i + 1], body, metadata[i + 2], metadata[i + 3]);
        }
        rows.end();
    }

    private void time(ProtobufReader fields) throws UndecodableRecordException {
        hasTime = true;
        seconds = 0;
        long wideNanos = 0;
        while (fields.next()) {
            if (fields.field() == 1) {
                seconds = fields.bits(ProtobufReader.VARINT);
            } else if (fields.field() == 2) {
                wideNanos = fields.bits(ProtobufReader.VARINT);
            }
        }
        if (wideNanos < 0 || wideNanos >= NANOS_PER_SECOND) {
            throw RefusedException.malformed("The request is malformed: a timestamp has %d ns".formatted(wideNanos));
        }
        nanos = (int) wideNanos;
    }

    private void pair(ProtobufReader fields) throws UndecodableRecordException {
        if (metadataLength == metadata.length) {
            rows.memory().grow((long) metadata.length * Integer.BYTES);
            metadata = Arrays.copyOf(metadata, 2 * metadata.length);
        }
        Arrays.fill(metadata, metadataLength, metadataLength + BOUNDS, 0);
        while (fields.next()) {
            if (fields.field() == 1 || fields.field() == 2) {
                int at = metadataLength + (fields.field() - 1) * 2;
                metadata[at] = fields.start();
                metadata[at + 1] = fields.stop();
            }
        }
        metadataLength += BOUNDS;
    }
}
