package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Makes the page sources of the splits of a scan, one class for each kind of split. Thread-safe. */
final class CordwoodPageSourceProvider implements ConnectorPageSourceProvider {
    private final LogBlockCache logBlocks;
    private final Map<CordwoodTableHandle, TopNBound> bounds = new ConcurrentHashMap<>();

    CordwoodPageSourceProvider(LogBlockCache logBlocks) {
        this.logBlocks = logBlocks;
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
        CordwoodTableHandle table = (CordwoodTableHandle) tableHandle;
        List<CordwoodColumnHandle> wanted =
                columns.stream().map(CordwoodColumnHandle.class::cast).collect(toImmutableList());
        return switch ((CordwoodSplit) split) {
            case CordwoodColdSplit cold ->
                new CordwoodColdPageSource(
                        logBlocks,
                        cold,
                        table,
                        wanted,
                        dynamicFilter,
                        CordwoodSessionProperties.readSettings(session),
                        bound(table),
                        memory);
        };
    }

    private Optional<TopNBound> bound(CordwoodTableHandle table) {
        return table.topN().map(topN -> bounds.computeIfAbsent(table, scan -> new TopNBound(topN.newest())));
    }
}
