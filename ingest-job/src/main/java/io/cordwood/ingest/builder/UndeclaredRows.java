package io.cordwood.ingest.builder;

import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.buffer.SettledMembers;

/**
 * The waiting rows of a tenant that may need columns for which the catalog was not asked yet: none below the first of
 * them. Used by the task thread only.
 *
 * <p>Rows are inspected once, while they are in the buffer. For rows with new members, only an offset is kept, so that
 * they are found again however long the catalog is unavailable, and after a restart.
 */
final class UndeclaredRows {
    /** There are no such rows. */
    static final long NONE = Long.MAX_VALUE;

    private static final int LONGEST_BACK_OFF = 8;

    private SettledMembers settled = SettledMembers.NONE;
    /** Number of inspected rows of the buffer. */
    private int inspectedRows;

    private boolean noted;
    private long from;
    /** First row of the current request. */
    private long askingFrom = NONE;
    /** Whether the response may be of a table that is gone. */
    private boolean askingInVain;

    private int failures;
    /** The pass of the next request. */
    private long duePass;

    UndeclaredRows(long from) {
        this.from = from;
    }

    /** Offset of the first row, including rows of the current request. */
    long from() {
        return Math.min(from, askingFrom);
    }

    /** Whether there are rows outside the current request. */
    boolean areWaiting() {
        return from != NONE;
    }

    /** Whether there are such rows, and enough passes have gone by since a failed request. */
    boolean areDue(long pass) {
        return areWaiting() && pass >= duePass;
    }

    /** The members that need no further request. */
    SettledMembers settled() {
        return settled;
    }

    /** Notes new rows; returns whether they are the first since the last inspection. */
    boolean note() {
        boolean news = !noted;
        noted = true;
        return news;
    }

    /** Inspects the rows of the buffer since the last inspection. */
    void inspect(RowBuffer buffer) {
        noted = false;
        if (!areWaiting()) {
            from = buffer.unsettledFrom(inspectedRows, settled).orElse(NONE);
        }
        inspectedRows = buffer.rowCount();
    }

    /** Notes that the buffer was taken; the next one is empty. */
    void bufferTaken() {
        inspectedRows = 0;
    }

    /**
     * Notes a request to the catalog.
     *
     * @param rest the first row outside the request
     */
    void asking(long rest) {
        askingFrom = from;
        askingInVain = false;
        from = rest;
    }

    /** Notes the response of the catalog. */
    void answered(SettledMembers nowSettled) {
        settled = askingInVain ? SettledMembers.NONE : nowSettled;
        askingFrom = NONE;
        failures = 0;
    }

    /**
     * Notes that the table may have been recreated: nothing is settled, and the catalog must be asked for all rows from
     * an offset on, even those of the current request.
     */
    void forget(long offset) {
        settled = SettledMembers.NONE;
        askingInVain = true;
        from = Math.min(from, offset);
    }

    /**
     * Notes that the request failed.
     *
     * @param pass the pass of the request
     */
    void failed(long pass) {
        from = from();
        askingFrom = NONE;
        duePass = pass + Math.min(LONGEST_BACK_OFF, 1L << Math.min(failures, Integer.SIZE));
        failures++;
    }

    /**
     * Notes that a flush has requested the columns of the rows below an offset.
     *
     * @param hasRows whether there are other rows
     */
    void flushed(long offset, boolean hasRows) {
        if (areWaiting()) {
            from = hasRows ? Math.max(from, offset) : NONE;
        }
    }
}
