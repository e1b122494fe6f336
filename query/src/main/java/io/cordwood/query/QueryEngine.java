package io.cordwood.query;

import com.google.common.io.Closer;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.query.cache.BlockCache;
import io.cordwood.query.cache.CacheCounts;
import io.cordwood.query.cache.DiskBlockCache;
import io.cordwood.query.delete.HotFlush;
import io.cordwood.query.delete.RowDeletion;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.io.S3Reads;
import io.cordwood.query.plan.LogBlockPlanner;
import io.cordwood.query.plan.ManifestCache;
import io.cordwood.query.plan.PlanRequest;
import io.cordwood.query.plan.ScanPlanner;
import io.cordwood.query.plan.TableDeletesCache;
import io.cordwood.query.plan.ValueShares;
import io.cordwood.query.scan.DeletedRowsCache;
import io.cordwood.query.scan.HotScans;
import io.cordwood.query.scan.LogBlockCache;
import io.cordwood.query.scan.ReadSettings;
import io.cordwood.query.search.LiveTails;
import io.cordwood.query.search.TableReads;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.usage.ScanMeter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * The state that all queries of one node share: connections, caches and planners. A query takes a {@link
 * QuerySnapshot}, plans with {@link #planner}, and reads with {@link io.cordwood.query.scan.LogBlockReader}s.
 * Thread-safe.
 */
public final class QueryEngine implements Closeable {
    private final ExecutorService planningThreads;
    private final ExecutorService hotPlanningThreads;
    private final QueryCatalog catalog;
    private final HotTierReader hotTier;
    private final BlockCache blocks;
    private final DecodedCache decoded;
    private final ManifestCache manifests;
    private final S3Reads s3;
    private final LogBlockCache logBlocks;
    private final ScanPlanner planner;
    private final HotScans hotScans;
    private final ScanMeter scanMeter;
    private final RowDeletion rowDeletion;
    private final LiveTails liveTails;

    /**
     * An engine that connects to the catalog service, Kafka and the object store at first use.
     *
     * @throws QueryException INVALID_CONFIGURATION if the disk cache cannot be created
     */
    public QueryEngine(QuerySettings settings) {
        QuerySettings.Caches caches = settings.caches();
        planningThreads = Executors.newFixedThreadPool(settings.planningThreads(), threads("cordwood-planning-%s"));
        catalog = new QueryCatalog(
                settings.catalogUri(),
                settings.catalogProperties(),
                settings.streams(),
                caches.metadata(),
                settings.accessRulesMaxAge(),
                planningThreads);
        hotPlanningThreads = Executors.newCachedThreadPool(threads("cordwood-hot-planning-%s"));
        hotTier = new HotTierReader(settings.hotTier(), hotPlanningThreads, catalog::tokenRules);
        blocks = new BlockCache(
                caches.blocks(), caches.diskDirectory().map(directory -> diskCache(directory, caches.disk())));
        decoded = new DecodedCache(caches.decoded());
        manifests = new ManifestCache(caches.manifests(), planningThreads);
        s3 = new S3Reads(catalog::s3Settings, settings.s3Requests());
        logBlocks = new LogBlockCache(
                caches.logBlocks(), blocks, decoded, s3, new DeletedRowsCache(catalog::io, caches.deletes()));
        planner = new ScanPlanner(
                new LogBlockPlanner(catalog, manifests, new TableDeletesCache(catalog, caches.manifests())),
                hotTier,
                planningThreads);
        hotScans = new HotScans(hotTier, catalog);
        scanMeter = new ScanMeter(
                catalog::reportScans, settings.scanReportInterval().toMillis(), Clock.systemUTC());
        rowDeletion = new RowDeletion(catalog, new HotFlush(catalog));
        liveTails = new LiveTails(hotTier, catalog);
        scanMeter.start();
    }

    private static ThreadFactory threads(String name) {
        ThreadFactory daemons =
                new ThreadFactoryBuilder().setNameFormat(name).setDaemon(true).build();
        return task -> {
            Thread thread = daemons.newThread(task);
            // Iceberg and Kafka load classes by name
            thread.setContextClassLoader(QueryEngine.class.getClassLoader());
            return thread;
        };
    }

    private static DiskBlockCache diskCache(Path directory, long maxBytes) {
        try {
            return new DiskBlockCache(directory, maxBytes);
        } catch (IOException e) {
            throw new QueryException(
                    QueryError.INVALID_CONFIGURATION,
                    "Cannot create the disk cache in %s (%s): name a writable directory, or none"
                            .formatted(directory, e),
                    e);
        }
    }

    /** A snapshot of the data for a query that begins now. */
    public QuerySnapshot snapshot() {
        return new QuerySnapshot(catalog, hotTier);
    }

    public QueryCatalog catalog() {
        return catalog;
    }

    public ScanPlanner planner() {
        return planner;
    }

    public ManifestCache manifests() {
        return manifests;
    }

    /** What manifests tell of columns. */
    public ValueShares valueShares() {
        return new ValueShares(catalog, manifests);
    }

    public LogBlockCache logBlocks() {
        return logBlocks;
    }

    public HotScans hotScans() {
        return hotScans;
    }

    /**
     * Reads of tables without an SQL engine.
     *
     * @param threads threads that read beside the caller's; it rejects work while none is free
     */
    public TableReads tableReads(ReadSettings settings, PlanRequest.Options options, Executor threads) {
        return new TableReads(planner, logBlocks, hotScans, scanMeter, settings, options, threads);
    }

    /** Rows as they arrive. */
    public LiveTails liveTails() {
        return liveTails;
    }

    public RowDeletion rowDeletion() {
        return rowDeletion;
    }

    /** The meter of the bytes that queries read. */
    public ScanMeter scanMeter() {
        return scanMeter;
    }

    /**
     * Hits, misses and evictions of each cache since the start, by cache name; those of the disk cache are empty if
     * there is none.
     */
    public Map<String, Map<String, Long>> cacheCounts() {
        return Map.of(
                "block", blocks.counts(),
                "disk", blocks.diskCounts(),
                "decoded", CacheCounts.of(decoded.counts()),
                "logblock", logBlocks.counts(),
                "manifest", manifests.counts());
    }

    @Override
    public void close() throws IOException {
        try (Closer parts = Closer.create()) {
            // The closer closes its parts in reverse order, each one even if another fails
            parts.register(blocks);
            parts.register(s3::close);
            parts.register(hotTier::close);
            parts.register(planningThreads::shutdownNow);
            parts.register(hotPlanningThreads::shutdownNow);
            parts.register(scanMeter::close);
        }
    }
}
