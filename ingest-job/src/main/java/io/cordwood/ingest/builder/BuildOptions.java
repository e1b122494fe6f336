package io.cordwood.ingest.builder;

import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.record.DecodingPolicy;
import java.io.Serializable;
import java.time.Duration;

/**
 * When rows become LogBlocks. Immutable.
 *
 * @param policy how records are decoded
 * @param columns columns that tables have from their beginning
 * @param flushBytes a tenant's rows from one partition are flushed when they take this much memory, in pieces of about
 *     this size if there are more
 * @param smallBytes rows that take less than this wait for their tenant's turn; others for {@code minAge}
 * @param minAge how long rows of a tenant with at least {@code smallBytes} wait after they were read
 * @param maxAge how long rows wait after they were read at most; each tenant has one turn in it
 * @param maxLagBytes bytes that may be read from a partition past a row that waits, before the row is flushed
 * @param maxAgedFlushes flushes by age, by lag, again after a failure, or because too much waits, in one
 *     checkpoint and subtask; the oldest rows go first
 * @param bufferBytes memory for rows, in buffers and being flushed, of all subtasks of a task manager together
 * @param maxWaitingBytes memory that the rows that wait may take before they were put aside, of all subtasks of a task
 *     manager together; above, reading is slowed down
 * @param flushThreads LogBlocks that a subtask builds at a time
 * @param zstdLevel compression level of LogBlocks
 */
public record BuildOptions(
        DecodingPolicy policy,
        DeclaredColumns columns,
        long flushBytes,
        long smallBytes,
        Duration minAge,
        Duration maxAge,
        long maxLagBytes,
        int maxAgedFlushes,
        long bufferBytes,
        long maxWaitingBytes,
        int flushThreads,
        int zstdLevel)
        implements Serializable {
    public BuildOptions {
        requirePositive("flushBytes", flushBytes);
        requirePositive("maxLagBytes", maxLagBytes);
        requirePositive("maxAgedFlushes", maxAgedFlushes);
        requirePositive("bufferBytes", bufferBytes);
        requirePositive("maxWaitingBytes", maxWaitingBytes);
        requirePositive("flushThreads", flushThreads);
        if (maxAge.toMillis() <= 0) {
            throw new IllegalArgumentException("maxAge must be at least a millisecond, not %s".formatted(maxAge));
        }
        if (minAge.compareTo(maxAge) > 0) {
            throw new IllegalArgumentException("minAge %s is above maxAge %s".formatted(minAge, maxAge));
        }
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("%s must be positive, not %d".formatted(name, value));
        }
    }

    /** How LogBlocks are written. */
    public LogBlockOptions logBlockOptions() {
        LogBlockOptions defaults = LogBlockOptions.DEFAULTS;
        return new LogBlockOptions(
                zstdLevel,
                defaults.textPageBytes(),
                defaults.pageRows(),
                defaults.rowGroupRows(),
                defaults.minIndexedRows());
    }
}
