package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;

/**
 * What Kafka must keep of each partition, whatever it is told to delete: rows wait there until they are in their
 * tables. Immutable.
 *
 * @param time for how long a row may wait: the maximum age of a buffer and the outage budget
 * @param bytes how many may be read past a row before it is in its table, as Kafka's clients count them unpacked
 */
public record MinRetention(Duration time, long bytes) implements Serializable {
    public MinRetention {
        requireNonNull(time, "time is null");
    }
}
