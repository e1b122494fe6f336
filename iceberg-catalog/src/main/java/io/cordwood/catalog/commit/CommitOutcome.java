package io.cordwood.catalog.commit;

/**
 * The outcome of a flush. Immutable.
 *
 * @param flush the flush
 * @param status its outcome
 * @param tableOffset table offset of the partition after the commit, raised to archived-through
 */
public record CommitOutcome(Flush flush, Status status, long tableOffset) {
    /** The kinds of outcome. */
    public enum Status {
        /**
         * The table now has its rows from the previous table offset on; the table offset is at least its {@code to}.
         */
        COMMITTED,
        /** The table had all its rows before. Forget the flush, but keep its files: they may be live. */
        ALREADY_THERE,
        /**
         * It starts above the table offset, so an earlier flush is missing. Nothing of it was committed. The job must
         * fail and restart from its last checkpoint, and never skip.
         */
        MISSING,
        /**
         * One of its files no longer exists, or they were written for a table that was dropped since. Nothing of it was
         * committed. The job must read {@code [from, to)} again from Kafka.
         */
        FILES_UNUSABLE
    }
}
