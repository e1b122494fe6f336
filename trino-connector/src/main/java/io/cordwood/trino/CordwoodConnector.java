package io.cordwood.trino;

import static io.trino.spi.transaction.IsolationLevel.READ_COMMITTED;
import static io.trino.spi.transaction.IsolationLevel.checkConnectorSupports;

import com.google.inject.Inject;
import io.airlift.bootstrap.LifeCycleManager;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.trino.config.CordwoodSessionProperties;
import io.cordwood.trino.error.QueryErrors;
import io.cordwood.trino.system.AlertsTable;
import io.cordwood.trino.system.DeletionsTable;
import io.cordwood.trino.system.UsageTable;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorAccessControl;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorMetadata;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorPageSinkProvider;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorPageSourceProviderFactory;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorSplitManager;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorTableFunction;
import io.trino.plugin.base.classloader.ClassLoaderSafeNodePartitioningProvider;
import io.trino.plugin.base.classloader.ClassLoaderSafeSystemTable;
import io.trino.plugin.base.classloader.ClassLoaderSafeTableFunctionProcessorProviderFactory;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProviderFactory;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.transaction.IsolationLevel;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The connector. It provides the SPI services, and one {@link QuerySnapshot} to each transaction. Thread-safe. */
final class CordwoodConnector implements Connector {
    /** Libraries such as Iceberg load classes by name from the thread's class loader. */
    private static final ClassLoader CLASS_LOADER = CordwoodConnector.class.getClassLoader();

    private final LifeCycleManager lifeCycleManager;
    private final CordwoodTransactions transactions;
    private final CordwoodMetadataFactory metadataFactory;
    private final CordwoodSplitManager splitManager;
    private final CordwoodPageSourceProviderFactory pageSourceProviderFactory;
    private final CordwoodNodePartitioningProvider partitioning;
    private final CordwoodAccessControl accessControl;
    private final CordwoodPageSinkProvider pageSinkProvider;
    private final DeletionsTable deletions;
    private final UsageTable usage;
    private final AlertsTable alerts;
    private final TailFunction tail;
    private final PatternsFunction patterns;
    private final PatternsProcessors patternsProcessors;

    @Inject
    CordwoodConnector(
            LifeCycleManager lifeCycleManager,
            CordwoodTransactions transactions,
            CordwoodMetadataFactory metadataFactory,
            CordwoodSplitManager splitManager,
            CordwoodPageSourceProviderFactory pageSourceProviderFactory,
            CordwoodNodePartitioningProvider partitioning,
            CordwoodAccessControl accessControl,
            CordwoodPageSinkProvider pageSinkProvider,
            DeletionsTable deletions,
            UsageTable usage,
            AlertsTable alerts,
            TailFunction tail,
            PatternsFunction patterns,
            PatternsProcessors patternsProcessors) {
        this.tail = tail;
        this.patterns = patterns;
        this.patternsProcessors = patternsProcessors;
        this.pageSinkProvider = pageSinkProvider;
        this.deletions = deletions;
        this.usage = usage;
        this.alerts = alerts;
        this.partitioning = partitioning;
        this.lifeCycleManager = lifeCycleManager;
        this.transactions = transactions;
        this.metadataFactory = metadataFactory;
        this.splitManager = splitManager;
        this.pageSourceProviderFactory = pageSourceProviderFactory;
        this.accessControl = accessControl;
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(
            IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit) {
        checkConnectorSupports(READ_COMMITTED, isolationLevel);
        return transactions.begin();
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transaction) {
        return new ClassLoaderSafeConnectorMetadata(
                QueryErrors.translating(
                        ConnectorMetadata.class, metadataFactory.create(transactions.version(transaction))),
                CLASS_LOADER);
    }

    @Override
    public ConnectorSplitManager getSplitManager() {
        return new ClassLoaderSafeConnectorSplitManager(
                QueryErrors.translating(ConnectorSplitManager.class, splitManager), CLASS_LOADER);
    }

    @Override
    public ConnectorPageSourceProviderFactory getPageSourceProviderFactory() {
        return new ClassLoaderSafeConnectorPageSourceProviderFactory(pageSourceProviderFactory, CLASS_LOADER);
    }

    @Override
    public ConnectorPageSinkProvider getPageSinkProvider() {
        return new ClassLoaderSafeConnectorPageSinkProvider(pageSinkProvider, CLASS_LOADER);
    }

    @Override
    public Set<SystemTable> getSystemTables() {
        return Set.of(
                new ClassLoaderSafeSystemTable(QueryErrors.translating(SystemTable.class, deletions), CLASS_LOADER),
                new ClassLoaderSafeSystemTable(QueryErrors.translating(SystemTable.class, usage), CLASS_LOADER),
                new ClassLoaderSafeSystemTable(QueryErrors.translating(SystemTable.class, alerts), CLASS_LOADER));
    }

    @Override
    public Set<ConnectorTableFunction> getTableFunctions() {
        return Set.of(
                new ClassLoaderSafeConnectorTableFunction(
                        QueryErrors.translating(ConnectorTableFunction.class, tail), CLASS_LOADER),
                new ClassLoaderSafeConnectorTableFunction(
                        QueryErrors.translating(ConnectorTableFunction.class, patterns), CLASS_LOADER));
    }

    /** Only {@link PatternsFunction} runs as a function. */
    @Override
    public Optional<FunctionProvider> getFunctionProvider() {
        return Optional.of(new FunctionProvider() {
            @Override
            public TableFunctionProcessorProviderFactory getTableFunctionProcessorProviderFactory(
                    ConnectorTableFunctionHandle handle) {
                return new ClassLoaderSafeTableFunctionProcessorProviderFactory(() -> patternsProcessors, CLASS_LOADER);
            }
        });
    }

    /** A deletion commits when its statement ends, so it cannot be rolled back with others. */
    @Override
    public boolean isSingleStatementWritesOnly() {
        return true;
    }

    @Override
    public ConnectorNodePartitioningProvider getNodePartitioningProvider() {
        return new ClassLoaderSafeNodePartitioningProvider(partitioning, CLASS_LOADER);
    }

    @Override
    public ConnectorAccessControl getAccessControl() {
        return new ClassLoaderSafeConnectorAccessControl(
                QueryErrors.translating(ConnectorAccessControl.class, accessControl), CLASS_LOADER);
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties() {
        return CordwoodSessionProperties.all();
    }

    @Override
    public void commit(ConnectorTransactionHandle transaction) {
        transactions.end(transaction);
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction) {
        transactions.end(transaction);
    }

    @Override
    public void shutdown() {
        lifeCycleManager.stop();
    }
}
