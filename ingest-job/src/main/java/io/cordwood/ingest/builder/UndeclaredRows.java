package io.cordwood.ingest.builder;

import io.cordwood.record.RowBuffer;
import io.cordwood.record.SettledMembers;

/**
 * Which of a tenant's waiting rows may need columns that nobody has asked the catalog for: none below the first of
 * them. Used by the task thread only.
 *
 * <p>Rows are looked at once, while they are in the buffer. What is kept of those with new members is an offset, so
 * that the rows are found again however long the catalog cannot be asked, and after a restart.
 */
final class UndeclaredRows {
    /** There are no such rows. */
    static final long NONE = Long.MAX_VALUE;

    private static final int LONGEST_BACK_OFF = 8;

    private SettledMembers settled = SettledMembers.NONE;
    /** Rows of the buffer that were looked at. */
    private int looked;

    private boolean noted;
    private long from;
    /** First of the rows that the catalog is being asked for. */
    private long askingFrom = NONE;
    /** Whether the answer may be of a table that is gone. */
    private boolean askingInVain;

    private int failures;
    /** The pass in which the catalog is asked again. */
    private long duePass;

    UndeclaredRows(long from) {
        this.from = from;
    }

    /** Offset of the first row, those included that the catalog is being asked for. */
    long from() {
        return Math.min(from, askingFrom);
    }

    /** Whether there are rows that the catalog is not being asked for. */
    boolean areWaiting() {
        return from != NONE;
    }

    /** Whether there are such rows, and enough passes went by since asking failed. */
    boolean areDue(long pass) {
        return areWaiting() && pass >= duePass;
    }

    /** What need not be asked again. */
    SettledMembers settled() {
        return settled;
    }

    /** Takes note that rows came; says whether that is news since the last look. */
    boolean note() {
        boolean news = !noted;
        noted = true;
        return news;
    }

    /** Looks at the rows of the buffer that came since the last look. */
    void look(RowBuffer buffer) {
        noted = false;
        if (!areWaiting()) {
            from = buffer.unsettledFrom(looked, settled).orElse(NONE);
        }
        looked = buffer.rowCount();
    }

    /** The buffer was taken, and the next one is empty. */
    void bufferTaken() {
        looked = 0;
    }

    /**
     * The catalog is being asked.
     *
     * @param rest the first row that it is not asked for
     */
    void asking(long rest) {
        askingFrom = from;
        askingInVain = false;
        from = rest;
    }

    /** The catalog has answered. */
    void answered(SettledMembers nowSettled) {
        settled = askingInVain ? SettledMembers.NONE : nowSettled;
        askingFrom = NONE;
        failures = 0;
    }

    /**
     * The table may be another one now: nothing is settled, and the catalog is to be asked for all rows from an offset
     * on, also if it is being asked for them.
     */
    void forget(long offset) {
        settled = SettledMembers.NONE;
        askingInVain = true;
        from = Math.min(from, offset);
    }

    /**
     * The catalog has not answered, or refused.
     *
     * @param pass the pass in which it was asked
     */
    void failed(long pass) {
        from = from();
        askingFrom = NONE;
        duePass = pass + Math.min(LONGEST_BACK_OFF, 1L << Math.min(failures, Integer.SIZE));
        failures++;
    }

    /**
     * A flush has asked the catalog for what the rows below an offset need.
     *
     * @param hasRows whether there are other rows
     */
    void flushed(long offset, boolean hasRows) {
        if (areWaiting()) {
            from = hasRows ? Math.max(from, offset) : NONE;
        }
    }
}
