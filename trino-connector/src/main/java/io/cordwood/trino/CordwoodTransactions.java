package io.cordwood.trino;

import static io.cordwood.trino.error.CordwoodErrorCode.CORDWOOD_INTERNAL_ERROR;

import com.google.inject.Inject;
import io.cordwood.query.QueryEngine;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.trino.handle.CordwoodTransactionHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorTransactionHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The running transactions and the snapshot that each of them sees. Thread-safe. */
final class CordwoodTransactions {
    private final QueryEngine engine;
    private final Map<CordwoodTransactionHandle, QuerySnapshot> versions = new ConcurrentHashMap<>();

    @Inject
    CordwoodTransactions(QueryEngine engine) {
        this.engine = engine;
    }

    CordwoodTransactionHandle begin() {
        CordwoodTransactionHandle transaction = CordwoodTransactionHandle.create();
        versions.put(transaction, engine.snapshot());
        return transaction;
    }

    QuerySnapshot version(ConnectorTransactionHandle transaction) {
        QuerySnapshot version = versions.get((CordwoodTransactionHandle) transaction);
        if (version == null) {
            throw new TrinoException(CORDWOOD_INTERNAL_ERROR, "Transaction is not running: " + transaction);
        }
        return version;
    }

    void end(ConnectorTransactionHandle transaction) {
        versions.remove((CordwoodTransactionHandle) transaction);
    }
}
