package io.cordwood.gateway.loki;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.refusal.RowTooLargeException;
import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.json.JsonComposer;
import java.time.Instant;
import java.util.List;

/**
 * Writes entries as rows: the line as {@code message}, labels and structured metadata as columns. Structured metadata
 * is stronger than a label of its name. Nanoseconds below a microsecond go to {@code ts_nanos}. Not thread-safe.
 */
final class PushedRows {
    private static final byte[] TS = "ts".getBytes(US_ASCII);
    private static final byte[] TS_NANOS = "ts_nanos".getBytes(US_ASCII);
    private static final byte[] MESSAGE = "message".getBytes(US_ASCII);
    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    /** A number of nanoseconds is known for one from 1e17 on. */
    private static final long FIRST_SECOND_AS_NUMBER = 100_000_000;

    private static final long LAST_SECOND_AS_NUMBER = 9_000_000_000L;
    private static final long FIRST_SECOND_AS_TEXT = -62_135_596_800L;
    private static final long LAST_SECOND_AS_TEXT = 253_402_300_799L;
    private static final int LONGEST_NUMBER = 20;

    private final Labels labels;
    private final LineBatches rows;
    private final RejectedRows rejected = new RejectedRows();
    private final JsonComposer row;
    private final byte[] digits = new byte[LONGEST_NUMBER];
    private final long maxBytes;
    private long bytes;
    private long number;

    /**
     * @param maxBytes of all rows
     * @param memory counts them
     */
    PushedRows(long maxBytes, Memory memory) {
        this.maxBytes = maxBytes;
        this.rows = new LineBatches(memory);
        this.labels = new Labels(memory);
        this.row = new JsonComposer(memory::grow);
    }

    /** Counts the memory of the rows. */
    Memory memory() {
        return rows.memory();
    }

    /** The labels of the stream whose entries come next. */
    Labels labels() {
        return labels;
    }

    /** Begins an entry without a time: it gets the time of its record. */
    void start() {
        row.reset();
        row.open('{');
    }

    /** Begins an entry. */
    void start(long seconds, int nanos) {
        start();
        row.name(TS, 0, TS.length);
        if (seconds >= FIRST_SECOND_AS_NUMBER && seconds < LAST_SECOND_AS_NUMBER) {
            number(seconds * NANOS_PER_SECOND + nanos);
        } else {
            boolean isText = seconds >= FIRST_SECOND_AS_TEXT && seconds <= LAST_SECOND_AS_TEXT;
            byte[] text = (isText ? Instant.ofEpochSecond(seconds, nanos).toString() : seconds + " s since 1970")
                    .getBytes(US_ASCII);
            row.string(text, 0, text.length);
        }
        int below = nanos % NANOS_PER_MICRO;
        if (below > 0) {
            row.name(TS_NANOS, 0, TS_NANOS.length);
            number(below);
        }
    }

    /** Writes a number that is not negative. */
    private void number(long value) {
        int at = LONGEST_NUMBER;
        long left = value;
        do {
            digits[--at] = (byte) ('0' + left % 10);
            left /= 10;
        } while (left > 0);
        row.token(digits, at, LONGEST_NUMBER);
    }

    void line(byte[] data, int from, int to) {
        row.name(MESSAGE, 0, MESSAGE.length);
        row.string(data, from, to);
    }

    /** A line with the escapes of JSON, and without characters that must be escaped. */
    void escapedLine(byte[] data, int from, int to) {
        row.name(MESSAGE, 0, MESSAGE.length);
        row.escapedString(data, from, to);
    }

    void metadata(byte[] nameData, int nameFrom, int nameTo, byte[] data, int from, int to) {
        labels.hide(nameData, nameFrom, nameTo);
        Labels.name(row, nameData, nameFrom, nameTo);
        row.string(data, from, to);
    }

    /** Ends an entry. One that is too large costs only itself. */
    void end() {
        labels.writeTo(row);
        row.close('}');
        number++;
        bytes += row.length();
        if (bytes > maxBytes) {
            throw new RefusedException(
                    Reason.TOO_LARGE,
                    "The request becomes larger than %,d bytes, as each row has the labels of its stream: send it in parts"
                            .formatted(maxBytes));
        }
        try {
            rows.add(row.array(), 0, row.length());
        } catch (RowTooLargeException e) {
            rejected.add(number, e.getMessage());
        }
    }

    /** Leaves out the entries of a stream whose labels are malformed. */
    void reject(int entries, String why) {
        for (int i = 0; i < entries; i++) {
            rejected.add(++number, why);
        }
    }

    List<Payload> finish() {
        return rows.finish();
    }

    RejectedRows rejected() {
        return rejected;
    }
}
