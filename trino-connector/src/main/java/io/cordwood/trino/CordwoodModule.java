package io.cordwood.trino;

import static com.google.inject.Scopes.SINGLETON;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.spi.StandardErrorCode.INVALID_CATALOG_PROPERTY;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.cordwood.query.QueryEngine;
import io.cordwood.query.delete.RowDeletion;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.plan.ManifestCache;
import io.cordwood.query.plan.ScanPlanner;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.AllTenants;
import io.cordwood.trino.config.CordwoodConfig;
import io.cordwood.trino.metric.ConnectorBeans;
import io.cordwood.trino.metric.ScanTotals;
import io.cordwood.trino.statistics.ColumnStatisticsReader;
import io.cordwood.trino.system.AlertsTable;
import io.cordwood.trino.system.DeletionsTable;
import io.cordwood.trino.system.UsageTable;
import io.trino.spi.TrinoException;

/** The Guice bindings of a connector. */
final class CordwoodModule implements Module {
    @Override
    public void configure(Binder binder) {
        configBinder(binder).bindConfig(CordwoodConfig.class);
        binder.bind(CordwoodTransactions.class).in(SINGLETON);
        binder.bind(CordwoodConnector.class).in(SINGLETON);
        binder.bind(CordwoodMetadataFactory.class).in(SINGLETON);
        binder.bind(CordwoodSplitManager.class).in(SINGLETON);
        binder.bind(CordwoodPageSourceProviderFactory.class).in(SINGLETON);
        binder.bind(CordwoodAccessControl.class).in(SINGLETON);
        binder.bind(CordwoodNodePartitioningProvider.class).in(SINGLETON);
        binder.bind(ColumnStatisticsReader.class).in(SINGLETON);
        binder.bind(CordwoodPageSinkProvider.class).in(SINGLETON);
        binder.bind(DeletionsTable.class).in(SINGLETON);
        binder.bind(FunctionTables.class).in(SINGLETON);
        binder.bind(TailFunction.class).in(SINGLETON);
        binder.bind(PatternsFunction.class).in(SINGLETON);
        binder.bind(PatternsProcessors.class).in(SINGLETON);
        binder.bind(UsageTable.class).in(SINGLETON);
        binder.bind(AlertsTable.class).in(SINGLETON);
        binder.bind(ScanTotals.class).in(SINGLETON);
        binder.bind(ConnectorBeans.class).asEagerSingleton();
        binder.bind(EngineLifecycle.class).asEagerSingleton();
    }

    /** {@link EngineLifecycle} closes it. */
    @Provides
    @Singleton
    @SuppressWarnings("CloseableProvides")
    static QueryEngine engine(CordwoodConfig config) {
        try {
            return new QueryEngine(config.querySettings());
        } catch (QueryException e) {
            throw new TrinoException(INVALID_CATALOG_PROPERTY, "cordwood.disk-cache-directory: " + e.getMessage(), e);
        }
    }

    @Provides
    @Singleton
    static AllTenants allTenants(CordwoodConfig config) {
        try {
            return AllTenants.withColumns(config.getColumns());
        } catch (QueryException e) {
            throw new TrinoException(INVALID_CATALOG_PROPERTY, "cordwood.columns: " + e.getMessage(), e);
        }
    }

    @Provides
    static QueryCatalog catalog(QueryEngine engine) {
        return engine.catalog();
    }

    @Provides
    static ScanPlanner planner(QueryEngine engine) {
        return engine.planner();
    }

    @Provides
    static ManifestCache manifests(QueryEngine engine) {
        return engine.manifests();
    }

    @Provides
    static RowDeletion rowDeletion(QueryEngine engine) {
        return engine.rowDeletion();
    }
}
