package io.cordwood.ingest.source;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;

/**
 * The minimum that Kafka must keep of each partition, whatever its retention says: rows wait there until they are in
 * their tables. Immutable.
 *
 * @param time maximum time that a row may wait: the maximum age of a buffer plus the outage budget
 * @param bytes bytes that may be read past a row before it is in its table, unpacked as Kafka's clients count them
 */
public record MinRetention(Duration time, long bytes) implements Serializable {
    public MinRetention {
        requireNonNull(time, "time is null");
    }
}
