package io.cordwood.ingest.source;

import java.io.Serializable;
import java.util.Collection;
import java.util.Map;

/** A source of the current topic ids. Thread-safe. Calls block. */
public interface TopicIds extends AutoCloseable {
    /** Creates the connection in the operator's process. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TopicIds open();
    }

    /**
     * Current ids of topics by name, as Kafka prints them; topics that do not exist are missing.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka does not answer
     */
    Map<String, String> ids(Collection<String> topics);

    @Override
    void close();
}
