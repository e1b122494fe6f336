package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

/**
 * A transaction that has records in a partition and is neither committed nor aborted. Immutable.
 *
 * @param producerId Kafka's id of the producer
 * @param transactionalId the producer's own name; empty if Kafka does not report it
 * @param start the transaction's first offset
 */
public record OpenTransaction(long producerId, String transactionalId, long start) {
    public OpenTransaction {
        requireNonNull(transactionalId, "transactionalId is null");
    }
}
