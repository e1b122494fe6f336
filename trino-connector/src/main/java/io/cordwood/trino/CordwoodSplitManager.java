package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.query.QueryEngine;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.plan.HotPlanner;
import io.cordwood.query.plan.PlanMetrics;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.SplitGrouping;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.AllTenants;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.error.QueryErrors;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.TimeBinColumnHandle;
import io.cordwood.trino.metric.ScanTotals;
import io.cordwood.trino.pushdown.ScanFilters;
import io.cordwood.trino.split.CombinedSplitSource;
import io.cordwood.trino.split.CordwoodSplitSource;
import io.cordwood.trino.split.SplitSettings;
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
import java.util.function.Supplier;

/** Plans scans: selects their tables and the LogBlocks of these. Thread-safe. */
final class CordwoodSplitManager implements ConnectorSplitManager {
    private final CordwoodTransactions transactions;
    private final AllTenants allTenants;
    private final NodeManager nodes;
    private final QueryEngine engine;
    private final ScanTotals totals;

    @Inject
    CordwoodSplitManager(
            CordwoodTransactions transactions,
            AllTenants allTenants,
            NodeManager nodes,
            QueryEngine engine,
            ScanTotals totals) {
        this.transactions = transactions;
        this.allTenants = allTenants;
        this.nodes = nodes;
        this.engine = engine;
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
        QuerySnapshot version = transactions.version(transaction);
        ScanFilter filter = ScanFilters.of(table, CordwoodSessionProperties.useStatistics(session));
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
        boolean readsHotTier = CordwoodSessionProperties.readsHotTier(session)
                && HotPlanner.mayReadKafka(version, table.tenantId(), table.stream(), filter);
        List<TableVersion> tables;
        ScanBindings bindings;
        Supplier<List<HotPart>> hotParts;
        if (table.tenantId().isPresent()) {
            tables = version.table(table.tenantId().get(), table.stream()).stream()
                    .toList();
            bindings = version.limit(table.tenantId().get(), table.stream())
                    .map(ScanBindings::ofDeletion)
                    .orElseGet(() -> ScanBindings.ofTenant(ScanBindings.COLD));
            hotParts = () ->
                    tables.stream().flatMap(each -> hot.ofTenant(each).stream()).toList();
        } else {
            tables = version.tables(table.stream(), filter::admitsTenant);
            metrics.tablesPrunedByTenant.add(version.pointers(table.stream()).size() - tables.size());
            Map<String, QueryColumn> shown = allTenants.columns(
                    table.stream(),
                    () -> version.columns(table.stream(), table.viewer().orElseThrow()));
            bindings = ScanBindings.ofAllTenants(ScanBindings.COLD, shown);
            hotParts = () -> hot.ofAllTenants(tables, shown);
        }
        metrics.tables.add(tables.size());
        // Whole LogBlocks are counted without being opened
        boolean countsOnly =
                filter.conjuncts().isEmpty() && columns.stream().allMatch(TimeBinColumnHandle.class::isInstance);
        boolean firstRows = table.limit().isPresent() || table.topN().isPresent();
        boolean cutsLogBlocks = !countsOnly && !firstRows && !table.isCombined();
        ConnectorSplitSource splits = new CordwoodSplitSource(
                () -> readsHotTier
                        ? engine.hotTier().plan(() -> QueryErrors.call(hotParts))
                        : CompletableFuture.completedFuture(List.of()),
                tables,
                (each, conditions) ->
                        engine.planner().plan(each, conditions, bindings.bind(each), useTokenFilters, metrics),
                filter,
                table,
                new SplitGrouping(nodes.getWorkerNodes().size(), threadsPerNode),
                new SplitSettings(
                        cutsLogBlocks, !firstRows, CordwoodSessionProperties.dynamicFilteringWaitTimeout(session)),
                metrics,
                totals,
                engine.planningThreads());
        return table.isCombined() ? new CombinedSplitSource(splits) : splits;
    }
}
