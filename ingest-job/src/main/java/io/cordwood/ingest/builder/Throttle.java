package io.cordwood.ingest.builder;

import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows reading down while too many rows wait, so that an outage does not fill the disks with rows that Kafka keeps
 * anyway. Used by the task thread only.
 *
 * <p>Reading slows down but never stops, because checkpoint barriers, which commit other tenants' rows, travel with the
 * records. At the limit a subtask reads about 1 MB a second, at twice the limit 16 KB, about one batch of the source.
 */
final class Throttle {
    private static final Logger LOGGER = LoggerFactory.getLogger(Throttle.class);
    private static final int MOST_HALVINGS = 6;
    private static final long MICROS_FOR_A_BYTE = 1;
    private static final long LEAST_PAUSE_MICROS = 10_000;
    private static final long LONGEST_PAUSE_MICROS = 1_000_000;
    private static final long MOST_OWED_MICROS = 30_000_000;

    private final long limit;
    private final LongConsumer slowed;
    private long waiting;
    private long owedMicros;
    private boolean slow;

    /**
     * A throttle.
     *
     * @param limit maximum waiting bytes
     * @param slowed takes the length of each pause, in milliseconds
     */
    Throttle(long limit, LongConsumer slowed) {
        this.limit = limit;
        this.slowed = slowed;
    }

    /** Sets the waiting bytes, in memory and in the state. */
    void waiting(long bytes) {
        waiting = bytes;
        if (slow != bytes > limit) {
            slow = bytes > limit;
            owedMicros = 0;
            if (slow) {
                LOGGER.warn(
                        "{} bytes of rows wait to be written, more than {}: reading slowly until LogBlocks can be written",
                        bytes,
                        limit);
            } else {
                LOGGER.info("{} bytes of rows wait to be written: reading at full speed again", bytes);
            }
        }
    }

    /** The waiting bytes that were set last. */
    long waiting() {
        return waiting;
    }

    /** Pauses after records of this many bytes if too many rows wait. */
    void pause(long bytes) throws InterruptedException {
        long millis = pauseMillis(bytes);
        if (millis > 0) {
            slowed.accept(millis);
            Thread.sleep(millis);
        }
    }

    /** The pause in milliseconds after records of this many bytes. */
    long pauseMillis(long bytes) {
        if (!slow) {
            return 0;
        }
        int halvings = (int) Math.min(MOST_HALVINGS, (waiting - limit) / Math.max(1, limit / MOST_HALVINGS));
        owedMicros = Math.min(MOST_OWED_MICROS, owedMicros + ((bytes * MICROS_FOR_A_BYTE) << halvings));
        if (owedMicros < LEAST_PAUSE_MICROS) {
            return 0;
        }
        long pause = Math.min(owedMicros, LONGEST_PAUSE_MICROS);
        owedMicros -= pause;
        return pause / 1000;
    }
}
