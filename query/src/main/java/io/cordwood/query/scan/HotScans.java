package io.cordwood.query.scan;

import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.ReadLimits;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.query.snapshot.QueryCatalog;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Reads parts of the hot rows as LogBlocks in memory. Thread-safe. */
public final class HotScans {
    private final HotTierReader hotTier;
    private final QueryCatalog catalog;

    public HotScans(HotTierReader hotTier, QueryCatalog catalog) {
        this.hotTier = hotTier;
        this.catalog = catalog;
    }

    /**
     * Begins to read a part.
     *
     * @param bound shared with the other splits of a top-n
     * @param wantsTenant whether the scan reads rows of a tenant that is not among the part's tables
     * @param useCache whether rows that were read before come from memory
     * @param reader creates the reader of a LogBlock
     */
    public LogBlockSequence read(
            HotPart part,
            Optional<TopNBound> bound,
            Predicate<String> wantsTenant,
            ReadLimits limits,
            boolean useCache,
            BiFunction<LogBlocks, ScannedLogBlock, LogBlockReader> reader) {
        HotPartTables tables = new HotPartTables(part, catalog, wantsTenant);
        HotTables hotTables = part.isOfAllTenants()
                ? HotTables.many(tables::find)
                : HotTables.one(tables.find(part.tables().getFirst().tenantId()).orElseThrow());
        HotReadMetrics metrics = new HotReadMetrics();
        HotScan scan = hotTier.scan(
                part.stream(),
                part.log(),
                part.spans().stream()
                        .filter(span -> bound.isEmpty() || !bound.get().excludes(span.fromMicros(), span.toMicros()))
                        .map(HotPart.Span::hotSpan)
                        .toList(),
                hotTables,
                limits,
                useCache,
                metrics);
        return new HotLogBlocks(
                scan, metrics, (logBlocks, logBlock) -> reader.apply(logBlocks, tables.describe(logBlock)));
    }

    /**
     * A reader of one LogBlock of hot rows, whatever read it.
     *
     * @param binding the binding of its table
     */
    public static LogBlockReader reader(
            HotLogBlock logBlock, TableBinding binding, ScanRequest request, ScanFilter filter, ReadSettings settings) {
        ScannedLogBlock description = new ScannedLogBlock(
                logBlock.name(),
                logBlock.sizeInBytes(),
                logBlock.rowCount(),
                logBlock.time().fromMicros(),
                logBlock.time().toMicros(),
                binding);
        return new LogBlockReader(
                new LogBlockInMemory(logBlock.logBlock()), description, request, filter, settings, Optional.empty());
    }
}
