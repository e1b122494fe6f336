package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.storage.TableStorage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The requested flushes, as the catalog knew them a little earlier. A client requests a flush to delete rows of a
 * tenant, which must be in LogBlocks for that, or after it has deleted the tenant with its table. A request is seen a
 * little later, or once more, which costs a flush and no row. Used by the task thread only.
 */
final class FlushRequests implements DueFlushes.Requests, AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final CatalogPoll<Map<String, TableOffsets>> catalog;
    /** By stream and tenant. */
    private Map<String, Map<String, TableOffsets>> known = Map.of();

    FlushRequests(TableStorage storage, String task) {
        this.catalog =
                new CatalogPoll<>(storage::flushRequests, INTERVAL, "flush-requests", "deletions wait meanwhile", task);
    }

    /**
     * Takes the requests if they have arrived.
     *
     * @param now tick of the job's clock
     * @return the new requests, by stream and tenant
     */
    Map<String, Map<String, TableOffsets>> poll(Set<String> streams, long now) {
        Map<String, Map<String, TableOffsets>> before = known;
        known = catalog.poll(streams, now).orElse(known);
        return news(before, known);
    }

    private static Map<String, Map<String, TableOffsets>> news(
            Map<String, Map<String, TableOffsets>> before, Map<String, Map<String, TableOffsets>> now) {
        Map<String, Map<String, TableOffsets>> news = new HashMap<>();
        now.forEach((stream, requests) -> {
            Map<String, TableOffsets> ofStream = new HashMap<>(requests);
            ofStream.entrySet().removeAll(before.getOrDefault(stream, Map.of()).entrySet());
            if (!ofStream.isEmpty()) {
                news.put(stream, ofStream);
            }
        });
        return news;
    }

    @Override
    public Map<String, TableOffsets> of(String stream) {
        return known.getOrDefault(stream, Map.of());
    }

    @Override
    public void close() {
        catalog.close();
    }
}
