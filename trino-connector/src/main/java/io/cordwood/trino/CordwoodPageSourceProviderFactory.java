package io.cordwood.trino;

import com.google.inject.Inject;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;

/** Makes one provider for each scan of a task. Thread-safe. */
final class CordwoodPageSourceProviderFactory implements ConnectorPageSourceProviderFactory {
    private final LogBlockCache logBlocks;
    private final HotPageSources hot;
    private final ScanMeter scans;
    private final ScanTotals totals;

    @Inject
    CordwoodPageSourceProviderFactory(LogBlockCache logBlocks, HotPageSources hot, ScanMeter scans, ScanTotals totals) {
        this.logBlocks = logBlocks;
        this.hot = hot;
        this.scans = scans;
        this.totals = totals;
    }

    @Override
    public ConnectorPageSourceProvider createPageSourceProvider() {
        return new CordwoodPageSourceProvider(logBlocks, hot, scans, totals);
    }
}
