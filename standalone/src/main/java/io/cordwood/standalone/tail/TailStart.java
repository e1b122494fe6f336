package io.cordwood.standalone.tail;

import java.time.Duration;

/** The start position of a tail. */
public sealed interface TailStart {
    /** The log end: only new rows. */
    record End() implements TailStart {}

    /** The last rows of a given number, as far as Kafka has them within a bounded number of records. */
    record Lines(int count) implements TailStart {}

    /** The rows that Kafka received since this long ago. */
    record Since(Duration age) implements TailStart {}
}
