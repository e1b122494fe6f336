package io.cordwood.gateway.pipeline;

import io.cordwood.gateway.send.Memory;

/** Memory for the columns of one row at a time. Not thread-safe. */
final class RowMemory {
    /** A column with its name and its spelling. */
    private static final int COLUMN_BYTES = 120;

    private final Memory memory;
    private int most;

    RowMemory(Memory memory) {
        this.memory = memory;
    }

    /**
     * Counts the columns of a row if no row before it had as many.
     *
     * @throws io.cordwood.gateway.refusal.RefusedException if the gateway holds too much
     */
    void hold(int columns) {
        if (columns > most) {
            memory.grow(COLUMN_BYTES);
            most = columns;
        }
    }
}
