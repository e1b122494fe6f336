package io.cordwood.gateway.send;

import static java.util.Objects.requireNonNull;

import java.util.function.LongConsumer;

/**
 * Memory that a request needs beside its body: its rows as they go to Kafka, what is known of each, and the answer. A
 * few bytes in the body may need many times as many. Not thread-safe.
 */
public final class Memory {
    /** Counting over all requests costs more than a few bytes are worth. */
    private static final int STEP_BYTES = 64 << 10;

    private final LongConsumer hold;
    private long pending;

    /** @param hold takes bytes that are needed, or refuses the request; negative: they are no longer needed */
    public Memory(LongConsumer hold) {
        this.hold = requireNonNull(hold, "hold is null");
    }

    /** For rows that somebody else counts. */
    public static Memory countedElsewhere() {
        return new Memory(bytes -> {});
    }

    /**
     * Counts bytes before they are needed.
     *
     * @throws io.cordwood.gateway.refusal.RefusedException if the gateway holds too many
     */
    public void grow(long bytes) {
        pending += bytes;
        if (pending >= STEP_BYTES) {
            settle();
        }
    }

    /** Counts bytes that are no longer needed. */
    public void shrink(long bytes) {
        pending -= bytes;
    }

    /**
     * Counts what is left below a step, once a request needs no more.
     *
     * @throws io.cordwood.gateway.refusal.RefusedException if the gateway holds too many
     */
    public void settle() {
        long all = pending;
        pending = 0;
        hold.accept(all);
    }
}
