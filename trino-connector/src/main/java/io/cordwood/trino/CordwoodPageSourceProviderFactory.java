package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.query.QueryEngine;
import io.cordwood.trino.metric.ScanTotals;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;

/** Creates one provider for each scan of a task. Thread-safe. */
final class CordwoodPageSourceProviderFactory implements ConnectorPageSourceProviderFactory {
    private final QueryEngine engine;
    private final ScanTotals totals;

    @Inject
    CordwoodPageSourceProviderFactory(QueryEngine engine, ScanTotals totals) {
        this.engine = engine;
        this.totals = totals;
    }

    @Override
    public ConnectorPageSourceProvider createPageSourceProvider() {
        return new CordwoodPageSourceProvider(
                engine.logBlocks(), engine.hotScans(), engine.scanMeter(), totals, engine.catalog());
    }
}
