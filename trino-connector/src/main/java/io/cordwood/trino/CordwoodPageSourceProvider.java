package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;

import io.cordwood.hot.ReadLimits;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.plan.SplitOrder;
import io.cordwood.query.scan.ColdLogBlocks;
import io.cordwood.query.scan.HotScans;
import io.cordwood.query.scan.LogBlockCache;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.LogBlockSequence;
import io.cordwood.query.scan.ReadSettings;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.scan.TopNBound;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.usage.ScanMeter;
import io.cordwood.query.usage.ShownCounts;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.error.QueryErrors;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodCombinedSplit;
import io.cordwood.trino.handle.CordwoodHotSplit;
import io.cordwood.trino.handle.CordwoodLogBlocksSplit;
import io.cordwood.trino.handle.CordwoodSplit;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.metric.ScanTotals;
import io.cordwood.trino.page.CombiningPageSource;
import io.cordwood.trino.page.GroupCounts;
import io.cordwood.trino.page.LogBlockPageSource;
import io.cordwood.trino.page.LogBlocksPageSource;
import io.cordwood.trino.page.NewestRows;
import io.cordwood.trino.page.RowCombiner;
import io.cordwood.trino.pushdown.ScanFilters;
import io.cordwood.trino.security.Viewer;
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
import java.util.function.Function;
import java.util.function.Supplier;

/** Creates the page sources of a scan's splits, of one class for each kind of split. Thread-safe. */
final class CordwoodPageSourceProvider implements ConnectorPageSourceProvider {
    private final LogBlockCache logBlocks;
    private final HotScans hot;
    private final ScanMeter scans;
    private final ScanTotals totals;
    private final QueryCatalog catalog;
    private final Map<CordwoodTableHandle, TopNBound> bounds = new ConcurrentHashMap<>();
    private final Map<CordwoodTableHandle, ReadLimits> hotLimits = new ConcurrentHashMap<>();
    private final Map<CordwoodTableHandle, ScanFilter> filters = new ConcurrentHashMap<>();

    CordwoodPageSourceProvider(
            LogBlockCache logBlocks, HotScans hot, ScanMeter scans, ScanTotals totals, QueryCatalog catalog) {
        this.logBlocks = logBlocks;
        this.hot = hot;
        this.scans = scans;
        this.totals = totals;
        this.catalog = catalog;
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
        List<CordwoodColumnHandle> requested =
                columns.stream().map(CordwoodColumnHandle.class::cast).collect(toImmutableList());
        return QueryErrors.call(() -> pageSource(
                session, (CordwoodSplit) split, (CordwoodTableHandle) tableHandle, requested, dynamicFilter, memory));
    }

    private ConnectorPageSource pageSource(
            ConnectorSession session,
            CordwoodSplit split,
            CordwoodTableHandle table,
            List<CordwoodColumnHandle> requested,
            DynamicFilter dynamicFilter,
            MemoryContext memory) {
        ReadSettings settings = CordwoodSessionProperties.readSettings(session);
        ScanFilter filter = filters.computeIfAbsent(
                table, scan -> ScanFilters.of(scan, settings.options().useStatistics()));
        Optional<TopNBound> bound = bound(table);
        ScanRequest request = request(table, requested);
        Supplier<ScanFilter> learnt = learnt(table, dynamicFilter);
        Function<LogBlockReader, LogBlockPageSource> pageSource =
                reader -> new LogBlockPageSource(reader, requested, learnt, memory);
        return switch (split) {
            case CordwoodLogBlocksSplit(LogBlockGroup group) -> {
                List<Supplier<LogBlockReader>> readers = new ArrayList<>();
                for (ScannedLogBlock logBlock : group.logBlocks()) {
                    readers.add(() -> new LogBlockReader(logBlocks, logBlock, request, filter, settings, bound));
                }
                yield new LogBlocksPageSource(
                        new ColdLogBlocks(readers),
                        group.order(),
                        table.limit(),
                        bound,
                        pageSource,
                        meter(table),
                        totals,
                        ShownCounts.ALL);
            }
            case CordwoodCombinedSplit combinedSplit ->
                new CombiningPageSource(
                        combinedSplit,
                        combiner(table, requested),
                        // A join's dynamic filter must not affect which rows are the newest, or their counts
                        (part, read, partMemory) -> QueryErrors.call(() -> pageSource(
                                session, part, table.withoutGroups(), read, DynamicFilter.EMPTY, partMemory)),
                        memory);
            case CordwoodHotSplit(HotPart part) -> {
                LogBlockSequence sequence = hot.read(
                        part,
                        bound,
                        filter::admitsTenant,
                        hotLimits.computeIfAbsent(table, scan -> CordwoodSessionProperties.hotReadLimits(session)),
                        settings.useCache(),
                        (inMemory, logBlock) ->
                                new LogBlockReader(inMemory, logBlock, request, filter, settings, bound));
                yield new LogBlocksPageSource(
                        sequence,
                        SplitOrder.FIRST,
                        table.limit(),
                        Optional.empty(),
                        pageSource,
                        meter(table),
                        totals,
                        ShownCounts.to(Viewer.of(session.getUser(), catalog.accessRules())
                                .isOperator()));
            }
        };
    }

    private static ScanRequest request(CordwoodTableHandle table, List<CordwoodColumnHandle> requested) {
        List<QueryColumn> stored = requested.stream()
                .filter(TableColumnHandle.class::isInstance)
                .map(column -> ((TableColumnHandle) column).column())
                .toList();
        Optional<TimeBin> bin = LogBlockPageSource.onlyBin(requested);
        boolean hasOtherValues = bin.isEmpty() && stored.size() < requested.size();
        return new ScanRequest(stored, hasOtherValues, bin, table.limit(), table.topN());
    }

    /** The dynamic filter of a join narrows the rows; the join itself still drops the others. */
    private static Supplier<ScanFilter> learnt(CordwoodTableHandle table, DynamicFilter dynamicFilter) {
        return table.limit().isPresent() || table.topN().isPresent()
                ? () -> ScanFilter.ANY
                : () -> ScanFilters.learnt(table, dynamicFilter.getCurrentPredicate());
    }

    private static RowCombiner combiner(CordwoodTableHandle table, List<CordwoodColumnHandle> requested) {
        return table.groups()
                .<RowCombiner>map(groups -> new GroupCounts(groups, requested))
                .orElseGet(() -> new NewestRows(
                        Math.toIntExact(table.topN().orElseThrow().count()), requested));
    }

    private Consumer<LogBlockReader> meter(CordwoodTableHandle table) {
        return read -> scans.read(read.tenantId(), table.stream(), read.bytesRead());
    }

    private Optional<TopNBound> bound(CordwoodTableHandle table) {
        return table.topN()
                .map(topN -> bounds.computeIfAbsent(table, scan -> new TopNBound(topN.newest(), topN.count())));
    }
}
