package io.cordwood.ingest.source;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/** Inspects topics and their logs. Thread-safe. Calls block. */
public interface TopicInspector extends AutoCloseable {
    /** Creates the connection in the operator's process. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TopicInspector open();
    }

    /**
     * The current state of a stream's topic; empty if there is no topic.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka does not answer
     */
    Optional<TopicState> inspect(String stream);

    /**
     * The open transactions of a partition, in the order of their starts.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka does not answer
     */
    List<OpenTransaction> openTransactions(String stream, int partition);

    @Override
    void close();
}
