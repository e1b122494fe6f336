package io.cordwood.trino;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

import com.google.inject.Inject;
import io.cordwood.query.delete.ReadVersion;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.trino.handle.CordwoodMergeHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSinkId;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTransactionHandle;
import java.util.Optional;

/** Creates the sinks of deletions; there are no other writes. Thread-safe. */
final class CordwoodPageSinkProvider implements ConnectorPageSinkProvider {
    private final QueryCatalog catalog;

    @Inject
    CordwoodPageSinkProvider(QueryCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public ConnectorMergeSink createMergeSink(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorMergeTableHandle merge,
            Optional<ConnectorTableCredentials> credentials,
            ConnectorPageSinkId id) {
        String location = ((CordwoodMergeHandle) merge)
                .version()
                .map(ReadVersion::tableLocation)
                .orElse("");
        return new CordwoodMergeSink(location, catalog.io());
    }

    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorOutputTableHandle table,
            Optional<ConnectorTableCredentials> credentials,
            ConnectorPageSinkId id) {
        throw unsupported();
    }

    @Override
    public ConnectorPageSink createPageSink(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorInsertTableHandle table,
            Optional<ConnectorTableCredentials> credentials,
            ConnectorPageSinkId id) {
        throw unsupported();
    }

    private static TrinoException unsupported() {
        return new TrinoException(NOT_SUPPORTED, "Rows come from Kafka: SQL cannot add rows");
    }
}
