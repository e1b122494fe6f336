package io.cordwood.standalone.tail;

import java.time.Duration;

/** Where a tail begins. */
public sealed interface TailStart {
    /** At the end of the log: only rows that are new. */
    record End() implements TailStart {}

    /** With the last rows that are wanted, as far as Kafka has them and they are not too far back. */
    record Lines(int count) implements TailStart {}

    /** With what Kafka took this long ago. */
    record Since(Duration age) implements TailStart {}
}
