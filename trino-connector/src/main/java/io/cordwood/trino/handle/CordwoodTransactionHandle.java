package io.cordwood.trino.handle;

import io.cordwood.query.snapshot.QuerySnapshot;
import io.trino.spi.connector.ConnectorTransactionHandle;
import java.util.UUID;

/** Names one Trino transaction, to which one {@link QuerySnapshot} belongs. Immutable. */
public record CordwoodTransactionHandle(UUID id) implements ConnectorTransactionHandle {
    public static CordwoodTransactionHandle create() {
        return new CordwoodTransactionHandle(UUID.randomUUID());
    }
}
