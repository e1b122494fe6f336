package io.cordwood.trino;

import com.google.inject.Inject;
import io.trino.spi.NodeManager;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** Plans scans: which LogBlocks of which tables. Thread-safe. */
final class CordwoodSplitManager implements ConnectorSplitManager {
    private final CordwoodTransactions transactions;
    private final LogBlockPlanner planner;
    private final AllTenants allTenants;
    private final NodeManager nodes;
    private final ExecutorService executor;
    private final HotTail hotTail;
    private final ScanTotals totals;

    @Inject
    CordwoodSplitManager(
            CordwoodTransactions transactions,
            LogBlockPlanner planner,
            AllTenants allTenants,
            NodeManager nodes,
            @ForPlanning ExecutorService executor,
            HotTail hotTail,
            ScanTotals totals) {
        this.transactions = transactions;
        this.planner = planner;
        this.allTenants = allTenants;
        this.nodes = nodes;
        this.executor = executor;
        this.hotTail = hotTail;
        this.totals = totals;
    }

    @Override
    public ConnectorSplitSource getSplits(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorTableHandle tableHandle,
            Set<ColumnHandle> columns,
            Constraint constraint) {
        CordwoodTableHandle table = (CordwoodTableHandle) tableHandle;
        QueryVersion version = transactions.version(transaction);
        ScanFilter filter = ScanFilter.of(table, CordwoodSessionProperties.useStatistics(session));
        boolean useTokenFilters = CordwoodSessionProperties.useTokenFilters(session);
        int threadsPerNode = Runtime.getRuntime().availableProcessors();
        PlanMetrics metrics = new PlanMetrics();
        HotPlanner hot = new HotPlanner(
                version,
                table.stream(),
                filter,
                table.topN(),
                threadsPerNode * Math.max(1, nodes.getWorkerNodes().size()),
                CordwoodSessionProperties.hotStatisticsInterval(session),
                metrics);
        boolean readsHotTail = HotPlanner.isWanted(session, version, table, filter);
        List<TableVersion> tables;
        ScanBindings bindings;
        Supplier<List<CordwoodHotSplit>> hotSplits;
        if (table.tenantId().isPresent()) {
            tables = version.table(table.tenantId().get(), table.stream()).stream()
                    .toList();
            bindings = version.limit(table.tenantId().get(), table.stream())
                    .map(ScanBindings::ofDeletion)
                    .orElseGet(() -> ScanBindings.ofTenant(ScanBindings.COLD));
            hotSplits = () ->
                    tables.stream().flatMap(each -> hot.ofTenant(each).stream()).toList();
        } else {
            tables = version.tables(table.stream(), filter::admitsTenant);
            metrics.tablesPrunedByTenant.add(version.pointers(table.stream()).size() - tables.size());
            Map<String, CordwoodColumnHandle> shown = allTenants.columns(
                    table.stream(),
                    () -> version.columns(table.stream(), table.viewer().orElseThrow()));
            bindings = ScanBindings.ofAllTenants(ScanBindings.COLD, shown);
            hotSplits = () -> hot.ofAllTenants(tables, shown);
        }
        metrics.tables.add(tables.size());
        // Whole LogBlocks are counted without being opened
        boolean countsOnly = filter.conjuncts().isEmpty()
                && columns.stream()
                        .allMatch(
                                column -> ((CordwoodColumnHandle) column).kind() == CordwoodColumnHandle.Kind.TIME_BIN);
        boolean firstRows = table.limit().isPresent() || table.topN().isPresent();
        boolean cutsLogBlocks = !countsOnly && !firstRows && !table.isGathered();
        ConnectorSplitSource splits = new CordwoodSplitSource(
                () -> readsHotTail ? hotTail.plan(hotSplits) : CompletableFuture.completedFuture(List.of()),
                tables,
                (each, conditions) -> planner.plan(each, conditions, bindings.bind(each), useTokenFilters, metrics),
                filter,
                table.topN(),
                new SplitGrouping(nodes.getWorkerNodes().size(), threadsPerNode),
                new SplitSettings(
                        cutsLogBlocks, !firstRows, CordwoodSessionProperties.dynamicFilteringWaitTimeout(session)),
                metrics,
                totals,
                executor);
        return table.isGathered() ? new GatheredSplitSource(splits) : splits;
    }
}
