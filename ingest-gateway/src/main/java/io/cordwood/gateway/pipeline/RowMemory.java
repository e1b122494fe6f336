package io.cordwood.gateway.pipeline;

import io.cordwood.gateway.send.Memory;

/** Memory for the columns of one row at a time. Not thread-safe. */
final class RowMemory {
    /** A column, its name's bytes aside. */
    private static final int COLUMN_BYTES = 120;
    /** A name is kept as it is spelled, and in lower case. */
    private static final int NAME_COPIES = 2;

    private final Memory memory;
    private long most;

    RowMemory(Memory memory) {
        this.memory = memory;
    }

    /**
     * Counts the columns of a row if no row before it needed as much.
     *
     * @param nameBytes of the names of all columns
     * @throws io.cordwood.gateway.refusal.RefusedException if the gateway holds too much
     */
    void hold(int columns, long nameBytes) {
        long needed = (long) columns * COLUMN_BYTES + NAME_COPIES * nameBytes;
        if (needed > most) {
            memory.grow(needed - most);
            most = needed;
        }
    }
}
