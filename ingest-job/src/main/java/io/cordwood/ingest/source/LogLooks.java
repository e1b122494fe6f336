package io.cordwood.ingest.source;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/** Looks at topics and their logs. Thread-safe. Calls block. */
public interface LogLooks extends AutoCloseable {
    /** Connects where an operator runs. */
    @FunctionalInterface
    interface Factory extends Serializable {
        LogLooks open();
    }

    /**
     * A stream's topic as it is now; empty if there is none.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka cannot be asked
     */
    Optional<LogLook> look(String stream);

    /**
     * Transactions that are open in a partition, the one that began first before the others.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka cannot be asked
     */
    List<OpenTransaction> openTransactions(String stream, int partition);

    @Override
    void close();
}
