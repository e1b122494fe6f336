package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.TailMetrics;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Makes of a hot split the LogBlocks that it stands for. Thread-safe. */
final class HotPageSources {
    private final HotTail tail;
    private final CordwoodCatalog catalog;

    @Inject
    HotPageSources(HotTail tail, CordwoodCatalog catalog) {
        this.tail = tail;
        this.catalog = catalog;
    }

    /**
     * Begins to read a split.
     *
     * @param bound shared with the other page sources of a top-n
     * @param wantsTenant whether rows of a tenant that is not among the split's tables are wanted
     * @param useCache whether rows that were read before are taken from memory
     * @param pageSource makes the page source of a LogBlock
     */
    LogBlockSequence read(
            CordwoodHotSplit split,
            Optional<TopNBound> bound,
            Predicate<String> wantsTenant,
            ReadLimits limits,
            boolean useCache,
            BiFunction<LogBlocks, CordwoodColdSplit, CordwoodColdPageSource> pageSource) {
        HotSplitTables tables = new HotSplitTables(split, catalog, wantsTenant);
        HotTables wanted = split.isOfAllTenants()
                ? HotTables.many(tables::find)
                : HotTables.one(
                        tables.find(split.tables().getFirst().tenantId()).orElseThrow());
        TailMetrics metrics = new TailMetrics();
        HotScan scan = tail.scan(
                split.stream(),
                split.log(),
                split.spans().stream()
                        .filter(span -> bound.isEmpty() || !bound.get().excludes(span.fromMicros(), span.toMicros()))
                        .map(CordwoodHotSplit.Span::hotSpan)
                        .toList(),
                wanted,
                limits,
                useCache,
                metrics);
        return new HotLogBlocks(
                scan, metrics, (logBlocks, logBlock) -> pageSource.apply(logBlocks, tables.describe(logBlock)));
    }
}
