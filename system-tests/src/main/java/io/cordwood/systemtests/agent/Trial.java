package io.cordwood.systemtests.agent;

/**
 * A fault at one fault point. A breakpoint stops the job there until the fault has happened, so the outcome does not
 * depend on chance.
 */
public enum Trial {
    /** Commits wait while checkpoints continue; then Flink is killed. */
    KILL_BEFORE_COMMIT,
    /** Flink is killed when the catalog has accepted a commit and no checkpoint knows of it. */
    KILL_AFTER_COMMIT,
    /** Two instances of the job read the same table offset; then one commits, then the other. */
    OVERLAPPING_COMMITS,
    /** A gateway sends commits of the job and of a {@code DELETE} twice, and returns the second response. */
    REPEATED_COMMIT,
    /** The committer never receives one flush, as if a checkpoint had come without it, but receives the next ones. */
    LOST_FLUSH,
    /** A query that has read its tables waits while their rows move from Kafka to LogBlocks. */
    SLOW_PLANNING,
    /** While the job is stopped, its topic is recreated and gets more rows than the old one had. */
    TOPIC_OUTGROWN,
    /** A {@code DELETE} begins while the job is stopped, so that the job's flush for it also holds later rows. */
    DELETE_WHILE_ROWS_COME,
    /** A {@code DELETE} begins while the job holds rows of a topic that was recreated meanwhile. */
    DELETE_AFTER_TOPIC_MADE_ANEW,
    /** The job holds rows of a topic that was recreated meanwhile; its checkpoint cannot be read for a while. */
    CHECKPOINT_HIDDEN_AFTER_TOPIC_MADE_ANEW,
    /** Rows have a retention, and the clocks of job, compaction and catalog are 20 years ahead for a while. */
    CLOCK_AHEAD,
    /** The job's clock is set back by hours, twice, and stays there; then its connections to Kafka break. */
    CLOCK_BACK,
    /**
     * Three tenants are deleted: one with a flush that waits for its commit, one with rows that the job has not read,
     * and one with later rows that are already committed.
     */
    TENANT_DELETED_ACROSS_FLUSH,
    /** On a closed stack, tokens of shippers are revoked and renewed while processes are killed. */
    TOKENS_REVOKED;

    /** Whether it needs processes with shiftable clocks. */
    public boolean isOfClocks() {
        return this == CLOCK_AHEAD || this == CLOCK_BACK;
    }

    /** Whether it needs a closed stack, in which no breakpoint stops the job. */
    public boolean isOfTokens() {
        return this == TOKENS_REVOKED;
    }
}
