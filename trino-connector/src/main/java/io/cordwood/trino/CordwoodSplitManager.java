package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.query.plan.PlanRequest;
import io.cordwood.query.plan.PlanRequest.Demand;
import io.cordwood.query.plan.PlanRequest.Readers;
import io.cordwood.query.plan.ScanPlanner;
import io.cordwood.query.plan.ScanTarget;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.AllTenants;
import io.cordwood.query.usage.ShownCounts;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.handle.CordwoodTableHandle;
import io.cordwood.trino.handle.TimeBinColumnHandle;
import io.cordwood.trino.metric.ScanTotals;
import io.cordwood.trino.pushdown.ScanFilters;
import io.cordwood.trino.security.Viewer;
import io.cordwood.trino.split.CombinedSplitSource;
import io.cordwood.trino.split.CordwoodSplitSource;
import io.trino.spi.NodeManager;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.FixedSplitSource;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import java.util.Optional;
import java.util.Set;

/** Translates a scan into a request to the planner, and the parts of its plan into splits. Thread-safe. */
final class CordwoodSplitManager implements ConnectorSplitManager {
    private final CordwoodTransactions transactions;
    private final AllTenants allTenants;
    private final NodeManager nodes;
    private final ScanPlanner planner;
    private final ScanTotals totals;
    private final QueryCatalog catalog;

    @Inject
    CordwoodSplitManager(
            CordwoodTransactions transactions,
            AllTenants allTenants,
            NodeManager nodes,
            ScanPlanner planner,
            ScanTotals totals,
            QueryCatalog catalog) {
        this.transactions = transactions;
        this.allTenants = allTenants;
        this.nodes = nodes;
        this.planner = planner;
        this.totals = totals;
        this.catalog = catalog;
    }

    @Override
    public ConnectorSplitSource getSplits(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorTableHandle tableHandle,
            Set<ColumnHandle> columns,
            Constraint constraint) {
        CordwoodTableHandle table = (CordwoodTableHandle) tableHandle;
        QuerySnapshot snapshot = transactions.version(transaction);
        boolean firstRows = table.limit().isPresent() || table.topN().isPresent();
        PlanRequest request = new PlanRequest(
                table.stream(),
                target(table, snapshot),
                ScanFilters.of(table, CordwoodSessionProperties.useStatistics(session)),
                table.topN(),
                demand(table, columns),
                new Readers(nodes.getWorkerNodes().size(), Runtime.getRuntime().availableProcessors()),
                CordwoodSessionProperties.planOptions(session));
        ConnectorSplitSource splits = new CordwoodSplitSource(
                planner.plan(snapshot, request),
                table,
                firstRows
                        ? Optional.empty()
                        : Optional.of(CordwoodSessionProperties.dynamicFilteringWaitTimeout(session)),
                totals,
                ShownCounts.to(
                        Viewer.of(session.getUser(), catalog.accessRules()).isOperator()));
        return table.isCombined() ? new CombinedSplitSource(splits) : splits;
    }

    /** One node reads all rows of a function. */
    @Override
    public ConnectorSplitSource getSplits(
            ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableFunctionHandle function) {
        return new FixedSplitSource(new PatternsFunction.Split());
    }

    private ScanTarget target(CordwoodTableHandle table, QuerySnapshot snapshot) {
        return table.tenantId()
                .<ScanTarget>map(ScanTarget.OneTenant::new)
                .orElseGet(() -> new ScanTarget.AllTenants(allTenants.columns(
                        table.stream(),
                        () -> snapshot.columns(table.stream(), table.viewer().orElseThrow()))));
    }

    private static Demand demand(CordwoodTableHandle table, Set<ColumnHandle> columns) {
        if (table.isCombined()) {
            return Demand.COMBINED;
        }
        if (table.limit().isPresent() || table.topN().isPresent()) {
            return Demand.FIRST_ROWS;
        }
        return columns.stream().allMatch(TimeBinColumnHandle.class::isInstance) ? Demand.COUNTS : Demand.ALL_ROWS;
    }
}
