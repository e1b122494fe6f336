package io.cordwood.ingest.source;

import java.io.Serializable;
import java.util.Collection;
import java.util.Map;

/** Tells the ids that topics have now. Thread-safe. Calls block. */
public interface TopicIds extends AutoCloseable {
    /** Connects where an operator runs. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TopicIds open();
    }

    /**
     * Ids of topics as they are now, by name, as Kafka prints them.
     *
     * @throws io.cordwood.ingest.IngestException if one does not exist or Kafka cannot be reached
     */
    Map<String, String> ids(Collection<String> topics);

    @Override
    void close();
}
