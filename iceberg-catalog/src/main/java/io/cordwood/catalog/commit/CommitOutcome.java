package io.cordwood.catalog.commit;

/**
 * What became of a flush. Immutable.
 *
 * @param flush the flush as it was handed in
 * @param status what became of it
 * @param tableOffset O of the partition, raised to W, after the commit
 */
public record CommitOutcome(Flush flush, Status status, long tableOffset) {
    /** What became of a flush. */
    public enum Status {
        /** Its rows from O on are in the table now; O is at least its {@code to}. */
        COMMITTED,
        /** All its rows were in the table before. Forget it, and leave its files alone: they may be live. */
        ALREADY_THERE,
        /**
         * It starts above O, so a flush before it is missing. Nothing of it was committed: the job must fail and
         * restart from its last checkpoint, and never skip.
         */
        MISSING,
        /**
         * One of its files no longer exists, or they were written for a table that was dropped since. Nothing of it was
         * committed: the job must read {@code [from, to)} again from Kafka.
         */
        FILES_UNUSABLE
    }
}
