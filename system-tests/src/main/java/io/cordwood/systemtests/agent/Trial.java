package io.cordwood.systemtests.agent;

/** A fault at the one moment that matters: the job is held there until it has happened, so no luck is needed. */
public enum Trial {
    /** Commits are not sent while checkpoints go on; then Flink is killed. */
    KILL_BEFORE_COMMIT,
    /** Flink is killed when the catalog has accepted a commit and no checkpoint knows of it. */
    KILL_AFTER_COMMIT,
    /** Two instances of the job read the same table offset; then one commits, then the other. */
    OVERLAPPING_COMMITS,
    /** A gateway sends commits twice, of the job and of a {@code DELETE}, and passes on the second answer. */
    REPEATED_COMMIT,
    /** The committer never gets one flush, as if a checkpoint had come without it, and gets the next ones. */
    LOST_FLUSH,
    /** A query that knows its tables waits while their rows go on from Kafka to LogBlocks. */
    SLOW_PLANNING,
    /** While the job is stopped, its topic is made anew and gets more rows than the old one had. */
    TOPIC_OUTGROWN,
    /**
     * A {@code DELETE} begins while the job is stopped, so that what the job flushes for it holds rows that came later.
     */
    DELETE_WHILE_ROWS_COME,
    /** A {@code DELETE} begins while the job holds rows of a topic that was made anew meanwhile. */
    DELETE_AFTER_TOPIC_MADE_ANEW,
    /** The job holds rows of a topic that was made anew meanwhile; its checkpoint cannot be read for a while. */
    CHECKPOINT_HIDDEN_AFTER_TOPIC_MADE_ANEW,
    /** Rows have a retention, and the clocks of job, compaction and catalog are 20 years ahead for a while. */
    CLOCK_AHEAD,
    /** The job's clock is set back by hours, twice, and stays so; then its connections to Kafka break. */
    CLOCK_BACK,
    /**
     * Tenants are deleted whose flush waits to be committed, whose rows the job has not read, and whose later rows are
     * committed already.
     */
    TENANT_DELETED_ACROSS_FLUSH;

    /** Whether it needs processes whose clocks can be set. */
    public boolean isOfClocks() {
        return this == CLOCK_AHEAD || this == CLOCK_BACK;
    }
}
