package io.cordwood.gateway.splunk;

import io.cordwood.gateway.row.JsonObjects;
import io.cordwood.gateway.send.LineBatches;
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

    private final Predicate<String> isStream;
    private final Consumer<String> permission;
    private final Map<String, LineBatches> rows = new TreeMap<>();

    /**
     * @param isStream whether there is a stream of a name
     * @param permission throws a {@link io.cordwood.gateway.refusal.RefusedException} if the sender may not write to a
     *     stream
     */
    HecRows(Predicate<String> isStream, Consumer<String> permission) {
        this.isStream = isStream;
        this.permission = permission;
    }

    boolean isStream(String index) {
        return isStream.test(index);
    }

    /**
     * Adds a row.
     *
     * @param index names the stream, if there is one of the name
     * @param row a JSON object
     */
    void add(String index, JsonComposer row) {
        LineBatches target = rows.computeIfAbsent(isStream(index) ? index : DEFAULT_STREAM, stream -> {
            permission.accept(stream);
            return new LineBatches();
        });
        JsonObjects.addOnOneLine(target, row.array(), 0, row.length());
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The rows that were added, by stream. */
    Map<String, List<Payload>> payloads() {
        Map<String, List<Payload>> payloads = new TreeMap<>();
        rows.forEach((stream, batches) -> payloads.put(stream, batches.finish()));
        return payloads;
    }
}
