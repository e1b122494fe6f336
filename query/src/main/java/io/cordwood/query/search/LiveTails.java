package io.cordwood.query.search;

import io.cordwood.query.error.QueryException;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.query.snapshot.QueryCatalog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rows as they arrive (ChronoLog's playback), for any number of readers. All tails of a stream share one reading of its
 * end. Thread-safe.
 */
public final class LiveTails {
    /** Bytes of rows that wait for slow readers. */
    private static final long MAX_BYTES = 32 << 20;

    private final HotTierReader hotTier;
    private final QueryCatalog catalog;
    private final TailBudget budget = new TailBudget(MAX_BYTES);
    private final Map<String, StreamFollower> followers = new ConcurrentHashMap<>();

    public LiveTails(HotTierReader hotTier, QueryCatalog catalog) {
        this.hotTier = hotTier;
        this.catalog = catalog;
    }

    /**
     * Follows a tenant's rows of an existing stream: those that Kafka acknowledges from now on. The caller closes it.
     *
     * @param filter conditions on the rows, on columns that the table may not have yet
     * @throws QueryException KAFKA_UNAVAILABLE if Kafka cannot be reached
     */
    public Tail follow(String tenantId, String stream, ScanFilter filter) {
        return followers
                .computeIfAbsent(
                        stream, name -> new StreamFollower(hotTier, name, new TailTables(catalog, name), budget))
                .add(tenantId, filter);
    }
}
