package io.cordwood.gateway.send;

import static java.util.Objects.requireNonNull;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RowTooLargeException;
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

    private final Memory memory;
    private final List<Payload> full = new ArrayList<>();
    private byte[] lines = new byte[0];
    private int length;
    private int rows;

    /** @param memory counts the rows */
    public LineBatches(Memory memory) {
        this.memory = requireNonNull(memory, "memory is null");
    }

    /**
     * Adds a row.
     *
     * @param data a JSON object from {@code from} to {@code to}, on one line
     * @throws RowTooLargeException if it is larger than a record can be
     * @throws RefusedException if the gateway holds too much
     */
    public void add(byte[] data, int from, int to) {
        int size = to - from;
        requireFits(size);
        if (length + size + 1 > RECORD_BYTES) {
            end();
        }
        if (lines.length < length + size + 1) {
            int larger = Math.max(length + size + 1, Math.max(FIRST_BYTES, 2 * lines.length));
            memory.grow(larger - lines.length);
            lines = Arrays.copyOf(lines, larger);
        }
        System.arraycopy(data, from, lines, length, size);
        length += size;
        lines[length++] = '\n';
        rows++;
    }

    /**
     * Checks the size of a row.
     *
     * @throws RowTooLargeException if it is larger than a record can be
     */
    public static void requireFits(int size) {
        if (size > MAX_ROW_BYTES) {
            throw new RowTooLargeException(size, MAX_ROW_BYTES);
        }
    }

    /** Counts the memory of the rows. */
    public Memory memory() {
        return memory;
    }

    private void end() {
        if (rows > 0) {
            memory.grow(length);
            full.add(new Payload(Arrays.copyOf(lines, length), Payload.Format.JSON_LINES, rows));
            length = 0;
            rows = 0;
        }
    }

    /**
     * What was added to each of these, as values of records.
     *
     * @throws RefusedException if the gateway holds too much
     */
    public static Map<String, List<Payload>> finish(Map<String, LineBatches> batches) {
        Map<String, List<Payload>> payloads = new TreeMap<>();
        batches.forEach((name, rows) -> payloads.put(name, rows.finish()));
        return payloads;
    }

    /**
     * What was added, as values of records.
     *
     * @throws RefusedException if the gateway holds too much
     */
    public List<Payload> finish() {
        end();
        memory.shrink(lines.length);
        lines = new byte[0];
        return List.copyOf(full);
    }
}
