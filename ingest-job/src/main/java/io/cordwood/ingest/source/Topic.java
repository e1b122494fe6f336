package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

/**
 * A Kafka topic in its current state. Immutable.
 *
 * @param name the topic's name, which is the stream's
 * @param id Kafka's UUID of the topic, as Kafka prints it: a recreated topic of the same name has another one
 */
public record Topic(String name, String id) {
    public Topic {
        requireNonNull(name, "name is null");
        requireNonNull(id, "id is null");
    }
}
