package io.cordwood.ingest.source;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/** Looks at topics and their logs. Thread-safe. Calls block. */
public interface TopicInspector extends AutoCloseable {
    /** Connects where an operator runs. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TopicInspector open();
    }

    /**
     * A stream's topic as it is now; empty if there is none.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka cannot be asked
     */
    Optional<TopicState> look(String stream);

    /**
     * Transactions that are open in a partition, the one that began first before the others.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka cannot be asked
     */
    List<OpenTransaction> openTransactions(String stream, int partition);

    @Override
    void close();
}
