package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;

import io.cordwood.hot.ReadLimits;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.trino.CordwoodLogBlocksSplit.Turn;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Makes the page sources of the splits of a scan, one class for each kind of split. Thread-safe. */
final class CordwoodPageSourceProvider implements ConnectorPageSourceProvider {
    private final LogBlockCache logBlocks;
    private final HotPageSources hot;
    private final ScanMeter scans;
    private final ScanTotals totals;
    private final Map<CordwoodTableHandle, TopNBound> bounds = new ConcurrentHashMap<>();
    private final Map<CordwoodTableHandle, ReadLimits> hotLimits = new ConcurrentHashMap<>();
    private final Map<CordwoodTableHandle, ScanFilter> filters = new ConcurrentHashMap<>();

    CordwoodPageSourceProvider(LogBlockCache logBlocks, HotPageSources hot, ScanMeter scans, ScanTotals totals) {
        this.logBlocks = logBlocks;
        this.hot = hot;
        this.scans = scans;
        this.totals = totals;
    }

    @Override
    public ConnectorPageSource createPageSource(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorSplit split,
            ConnectorTableHandle tableHandle,
            Optional<ConnectorTableCredentials> credentials,
            List<ColumnHandle> columns,
            DynamicFilter dynamicFilter,
            MemoryContext memory) {
        List<CordwoodColumnHandle> wanted =
                columns.stream().map(CordwoodColumnHandle.class::cast).collect(toImmutableList());
        return pageSource(
                session, (CordwoodSplit) split, (CordwoodTableHandle) tableHandle, wanted, dynamicFilter, memory);
    }

    private ConnectorPageSource pageSource(
            ConnectorSession session,
            CordwoodSplit split,
            CordwoodTableHandle table,
            List<CordwoodColumnHandle> wanted,
            DynamicFilter dynamicFilter,
            MemoryContext memory) {
        ReadSettings settings = CordwoodSessionProperties.readSettings(session);
        ScanFilter filter = filters.computeIfAbsent(
                table, scan -> ScanFilter.of(scan, settings.options().useStatistics()));
        Optional<TopNBound> bound = bound(table);
        return switch (split) {
            case CordwoodLogBlocksSplit logBlocksSplit -> {
                List<Supplier<CordwoodColdPageSource>> sources = new ArrayList<>();
                for (CordwoodLogBlocksSplit.Member member : logBlocksSplit.members()) {
                    ScanFilter part = member.part()
                            .map(times -> filter.within(new TimeRange(times.fromMicros(), times.toMicros())))
                            .orElse(filter);
                    sources.add(() -> new CordwoodColdPageSource(
                            logBlocks,
                            logBlocksSplit.logBlock(member),
                            table,
                            part,
                            wanted,
                            dynamicFilter,
                            settings,
                            bound,
                            memory));
                }
                yield new CordwoodLogBlocksPageSource(
                        new ColdLogBlocks(sources), logBlocksSplit.turn(), table.limit(), bound, meter(table), totals);
            }
            case CordwoodGatheredSplit gatheredSplit ->
                new GatheredPageSource(
                        gatheredSplit,
                        gathering(table, wanted),
                        // What a join learns says nothing of which rows are the newest or how many there are
                        (part, read, partMemory) ->
                                pageSource(session, part, table.withoutGroups(), read, DynamicFilter.EMPTY, partMemory),
                        memory);
            case CordwoodHotSplit hotSplit -> {
                LogBlockSequence sequence = hot.read(
                        hotSplit,
                        bound,
                        filter::admitsTenant,
                        hotLimits.computeIfAbsent(table, scan -> CordwoodSessionProperties.hotReadLimits(session)),
                        settings.useCache(),
                        (inMemory, logBlock) -> new CordwoodColdPageSource(
                                inMemory, logBlock, table, filter, wanted, dynamicFilter, settings, bound, memory));
                yield new CordwoodLogBlocksPageSource(
                        sequence, Turn.FIRST, table.limit(), Optional.empty(), meter(table), totals);
            }
        };
    }

    private static Gathering gathering(CordwoodTableHandle table, List<CordwoodColumnHandle> wanted) {
        return table.groups()
                .<Gathering>map(groups -> new GroupCounts(groups, wanted))
                .orElseGet(() -> new NewestRows(
                        Math.toIntExact(table.topN().orElseThrow().count()), wanted));
    }

    private Consumer<CordwoodColdPageSource> meter(CordwoodTableHandle table) {
        return read -> scans.read(read.tenantId(), table.stream(), read.getCompletedBytes());
    }

    private Optional<TopNBound> bound(CordwoodTableHandle table) {
        return table.topN()
                .map(topN -> bounds.computeIfAbsent(table, scan -> new TopNBound(topN.newest(), topN.count())));
    }
}
