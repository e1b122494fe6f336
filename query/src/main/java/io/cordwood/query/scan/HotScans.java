package io.cordwood.query.scan;

import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.ReadLimits;
import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.snapshot.HotTierReader;
import io.cordwood.query.snapshot.QueryCatalog;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Reads parts of the hot tail as LogBlocks in memory. Thread-safe. */
public final class HotScans {
    private final HotTierReader tail;
    private final QueryCatalog catalog;

    public HotScans(HotTierReader tail, QueryCatalog catalog) {
        this.tail = tail;
        this.catalog = catalog;
    }

    /**
     * Begins to read a part.
     *
     * @param bound shared with the other splits of a top-n
     * @param wantsTenant whether rows of a tenant that is not among the part's tables are wanted
     * @param useCache whether rows that were read before are taken from memory
     * @param reader makes the reader of a LogBlock
     */
    public LogBlockSequence read(
            HotPart part,
            Optional<TopNBound> bound,
            Predicate<String> wantsTenant,
            ReadLimits limits,
            boolean useCache,
            BiFunction<LogBlocks, ScannedLogBlock, LogBlockReader> reader) {
        HotPartTables tables = new HotPartTables(part, catalog, wantsTenant);
        HotTables wanted = part.isOfAllTenants()
                ? HotTables.many(tables::find)
                : HotTables.one(tables.find(part.tables().getFirst().tenantId()).orElseThrow());
        HotReadMetrics metrics = new HotReadMetrics();
        HotScan scan = tail.scan(
                part.stream(),
                part.log(),
                part.spans().stream()
                        .filter(span -> bound.isEmpty() || !bound.get().excludes(span.fromMicros(), span.toMicros()))
                        .map(HotPart.Span::hotSpan)
                        .toList(),
                wanted,
                limits,
                useCache,
                metrics);
        return new HotLogBlocks(
                scan, metrics, (logBlocks, logBlock) -> reader.apply(logBlocks, tables.describe(logBlock)));
    }
}
