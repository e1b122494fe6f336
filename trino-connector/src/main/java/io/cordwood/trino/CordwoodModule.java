package io.cordwood.trino;

import static com.google.inject.Scopes.SINGLETON;
import static io.airlift.configuration.ConfigBinder.configBinder;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.airlift.concurrent.Threads;
import io.cordwood.logblock.vector.DecodedCache;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** How the parts of a connector are put together. */
final class CordwoodModule implements Module {
    @Override
    public void configure(Binder binder) {
        configBinder(binder).bindConfig(CordwoodConfig.class);
        binder.bind(CordwoodCatalog.class).in(SINGLETON);
        binder.bind(CordwoodTransactions.class).in(SINGLETON);
        binder.bind(CordwoodConnector.class).in(SINGLETON);
        binder.bind(CordwoodMetadataFactory.class).in(SINGLETON);
        binder.bind(CordwoodSplitManager.class).in(SINGLETON);
        binder.bind(CordwoodPageSourceProviderFactory.class).in(SINGLETON);
        binder.bind(CordwoodAccessControl.class).in(SINGLETON);
        binder.bind(CordwoodNodePartitioningProvider.class).in(SINGLETON);
        binder.bind(AllTenants.class).in(SINGLETON);
        binder.bind(ColumnStatisticsReader.class).in(SINGLETON);
        binder.bind(ManifestCache.class).in(SINGLETON);
        binder.bind(LogBlockPlanner.class).in(SINGLETON);
        binder.bind(TableDeletesCache.class).in(SINGLETON);
        binder.bind(DeletedRowsCache.class).in(SINGLETON);
        binder.bind(HotFlush.class).in(SINGLETON);
        binder.bind(RowDeletion.class).in(SINGLETON);
        binder.bind(CordwoodPageSinkProvider.class).in(SINGLETON);
        binder.bind(DeletionsTable.class).in(SINGLETON);
        binder.bind(TailFunction.class).in(SINGLETON);
        binder.bind(UsageTable.class).in(SINGLETON);
        binder.bind(ScanMeter.class).in(SINGLETON);
        binder.bind(LogBlockCache.class).in(SINGLETON);
        binder.bind(HotTail.class).in(SINGLETON);
        binder.bind(HotPageSources.class).in(SINGLETON);
        binder.bind(BlockCache.class).in(SINGLETON);
        binder.bind(S3Reads.class).in(SINGLETON);
        binder.bind(ScanTotals.class).in(SINGLETON);
        binder.bind(ConnectorBeans.class).asEagerSingleton();
    }

    @Provides
    @Singleton
    static DecodedCache decodedCache(CordwoodConfig config) {
        return new DecodedCache(config.getDecodedCacheSize().toBytes());
    }

    @Provides
    @Singleton
    @ForPlanning
    static ExecutorService planningExecutor(CordwoodConfig config) {
        ThreadFactory threads = Threads.daemonThreadsNamed("cordwood-planning-%s");
        return Executors.newFixedThreadPool(config.getPlanningThreads(), task -> {
            Thread thread = threads.newThread(task);
            thread.setContextClassLoader(CordwoodModule.class.getClassLoader());
            return thread;
        });
    }
}
