package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_INTERNAL_ERROR;

import com.google.inject.Inject;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorTransactionHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The running transactions and the version of the data each of them sees. Thread-safe. */
final class CordwoodTransactions {
    private final CordwoodCatalog catalog;
    private final HotTail tail;
    private final Map<CordwoodTransactionHandle, QueryVersion> versions = new ConcurrentHashMap<>();

    @Inject
    CordwoodTransactions(CordwoodCatalog catalog, HotTail tail) {
        this.catalog = catalog;
        this.tail = tail;
    }

    CordwoodTransactionHandle begin() {
        CordwoodTransactionHandle transaction = CordwoodTransactionHandle.create();
        versions.put(transaction, new QueryVersion(catalog, tail));
        return transaction;
    }

    QueryVersion version(ConnectorTransactionHandle transaction) {
        QueryVersion version = versions.get((CordwoodTransactionHandle) transaction);
        if (version == null) {
            throw new TrinoException(CORDWOOD_INTERNAL_ERROR, "Transaction is not running: " + transaction);
        }
        return version;
    }

    void end(ConnectorTransactionHandle transaction) {
        versions.remove((CordwoodTransactionHandle) transaction);
    }
}
