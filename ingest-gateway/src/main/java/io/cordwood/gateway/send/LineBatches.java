package io.cordwood.gateway.send;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects JSON objects, one a line, into values of records of a bounded size. Not thread-safe. */
public final class LineBatches {
    /** Bytes of the largest row: Kafka's topics take records of 16 MB. */
    public static final int MAX_ROW_BYTES = (16 << 20) - (16 << 10);

    private static final int RECORD_BYTES = 1 << 20;
    private static final int FIRST_BYTES = 8 << 10;

    private final List<Payload> full = new ArrayList<>();
    private byte[] lines = new byte[0];
    private int length;
    private int rows;

    /**
     * Adds a row.
     *
     * @param data a JSON object from {@code from} to {@code to}, on one line
     * @throws RefusedException if it is larger than a record can be
     */
    public void add(byte[] data, int from, int to) {
        int size = to - from;
        if (size > MAX_ROW_BYTES) {
            throw new RefusedException(
                    Reason.TOO_LARGE, "The row has %,d bytes; at most %,d are allowed".formatted(size, MAX_ROW_BYTES));
        }
        if (length + size + 1 > RECORD_BYTES) {
            end();
        }
        if (lines.length < length + size + 1) {
            lines = Arrays.copyOf(lines, Math.max(length + size + 1, Math.max(FIRST_BYTES, 2 * lines.length)));
        }
        System.arraycopy(data, from, lines, length, size);
        length += size;
        lines[length++] = '\n';
        rows++;
    }

    private void end() {
        if (rows > 0) {
            full.add(new Payload(Arrays.copyOf(lines, length), Payload.Format.JSON_LINES, rows));
            length = 0;
            rows = 0;
        }
    }

    /** What was added to each of these, as values of records. */
    public static Map<String, List<Payload>> finish(Map<String, LineBatches> batches) {
        Map<String, List<Payload>> payloads = new TreeMap<>();
        batches.forEach((name, rows) -> payloads.put(name, rows.finish()));
        return payloads;
    }

    /** What was added, as values of records. */
    public List<Payload> finish() {
        end();
        return List.copyOf(full);
    }
}
