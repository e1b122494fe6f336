package io.cordwood.trino.handle;

import io.cordwood.query.snapshot.QuerySnapshot;
import io.trino.spi.connector.ConnectorTransactionHandle;
import java.util.UUID;

/** The id of a Trino transaction, which has one {@link QuerySnapshot}. Immutable. */
public record CordwoodTransactionHandle(UUID id) implements ConnectorTransactionHandle {
    public static CordwoodTransactionHandle create() {
        return new CordwoodTransactionHandle(UUID.randomUUID());
    }
}
