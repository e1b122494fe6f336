package io.cordwood.gateway.splunk;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.row.JsonObjects;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.json.JsonComposer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Collects the rows of a request by stream. Not thread-safe. */
final class HecRows {
    private static final String DEFAULT_STREAM = "logs";

    /** Rows are larger than the events by what the envelope and the address say of them: so much at most. */
    private static final long MAX_GROWTH = 16;

    private static final long GROWTH_ALLOWED = 1 << 20;

    private final long maxBytes;
    private final Predicate<String> isStream;
    private final Consumer<String> permission;
    private final Memory memory;
    private final Map<String, LineBatches> rows = new TreeMap<>();
    private long bytes;

    /**
     * @param bodyBytes of the request
     * @param isStream whether there is a stream of a name
     * @param permission throws a {@link RefusedException} if the sender may not write to a stream
     * @param memory counts the rows
     */
    HecRows(int bodyBytes, Predicate<String> isStream, Consumer<String> permission, Memory memory) {
        this.maxBytes = MAX_GROWTH * bodyBytes + GROWTH_ALLOWED;
        this.isStream = isStream;
        this.permission = permission;
        this.memory = memory;
    }

    boolean isStream(String index) {
        return isStream.test(index);
    }

    /**
     * Adds a row.
     *
     * @param index names the stream, if there is one of the name
     * @param row a JSON object
     * @throws RefusedException if the rows are too large, together or this one
     */
    void add(String index, JsonComposer row) {
        bytes += row.length();
        if (bytes > maxBytes) {
            throw new RefusedException(
                    Reason.TOO_LARGE, "The rows are too many for what the address says of each: send them in parts");
        }
        LineBatches target = rows.computeIfAbsent(isStream(index) ? index : DEFAULT_STREAM, stream -> {
            permission.accept(stream);
            return new LineBatches(memory);
        });
        JsonObjects.addOnOneLine(target, row.array(), 0, row.length());
    }

    /** Counts the memory of the rows. */
    Memory memory() {
        return memory;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The rows that were added, by stream. */
    Map<String, List<Payload>> payloads() {
        return LineBatches.finish(rows);
    }
}
