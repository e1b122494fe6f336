package io.cordwood.compaction.job;

/**
 * Result of the maintenance of a table. Immutable.
 *
 * @param cycle number of the cycle
 * @param tables number of tables in the cycle, and so of reports
 * @param merges merges that pay
 */
@SuppressWarnings("ArrayRecordComponent") // Flink serialises arrays of records by itself; the arrays are never compared
public record TableReport(long cycle, int tables, MergeTask[] merges) {}
