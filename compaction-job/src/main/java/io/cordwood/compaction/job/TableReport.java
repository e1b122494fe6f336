package io.cordwood.compaction.job;

/**
 * What a look at a table found. Immutable.
 *
 * @param cycle number of the cycle
 * @param tables how many tables the cycle looks at: so many reports there are
 * @param merges merges that pay
 */
@SuppressWarnings("ArrayRecordComponent") // Flink serialises arrays of records by itself; nobody compares them
public record TableReport(long cycle, int tables, MergeTask[] merges) {}
