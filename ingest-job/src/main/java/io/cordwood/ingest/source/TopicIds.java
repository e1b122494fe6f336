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
     * Ids of topics as they are now, by name, as Kafka prints them; none of those that do not exist.
     *
     * @throws io.cordwood.ingest.runtime.IngestException if Kafka cannot be asked
     */
    Map<String, String> ids(Collection<String> topics);

    @Override
    void close();
}
