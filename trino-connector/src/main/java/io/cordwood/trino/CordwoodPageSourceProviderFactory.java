package io.cordwood.trino;

import com.google.inject.Inject;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;

/** Makes one provider for each scan of a task. Thread-safe. */
final class CordwoodPageSourceProviderFactory implements ConnectorPageSourceProviderFactory {
    private final LogBlockCache logBlocks;
    private final HotPageSources hot;

    @Inject
    CordwoodPageSourceProviderFactory(LogBlockCache logBlocks, HotPageSources hot) {
        this.logBlocks = logBlocks;
        this.hot = hot;
    }

    @Override
    public ConnectorPageSourceProvider createPageSourceProvider() {
        return new CordwoodPageSourceProvider(logBlocks, hot);
    }
}
