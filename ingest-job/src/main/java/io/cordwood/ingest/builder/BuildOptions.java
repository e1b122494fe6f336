package io.cordwood.ingest.builder;

import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.Serializable;
import java.time.Duration;

/**
 * Settings of the builder, which decide when rows become LogBlocks. Immutable.
 *
 * @param policy decoding policy
 * @param columns columns that every new table has
 * @param flushBytes memory at which a tenant's rows of one partition are flushed; larger amounts are flushed in parts
 *     of about this size
 * @param smallBytes rows with less memory wait for their tenant's slot; others wait for {@code minAge}
 * @param tinyBytes rows with less memory wait for their tenant's slot in {@code maxAge}, unless {@code tinyLagBytes}
 *     were read past them; others for that in {@code smallAge}
 * @param tinyLagBytes bytes read from a partition past the first row, above which few rows wait no longer than others
 * @param minAge how long rows of a tenant with at least {@code smallBytes} wait after they were read
 * @param smallAge maximum time that rows of a tenant with at least {@code tinyBytes} wait after they were read
 * @param maxAge maximum time that any rows wait after they were read
 * @param maxLagBytes bytes that may be read from a partition past a waiting row before the row is flushed
 * @param maxAgedFlushes maximum number of flushes by age, by lag, after a failure, or because too many rows wait, per
 *     checkpoint and subtask; the oldest rows go first
 * @param bufferBytes memory for buffered and flushing rows, of all subtasks of a task manager together
 * @param maxWaitingBytes memory that waiting rows may take, counted as before they were spilled, of all subtasks of a
 *     task manager together; above it, reading is slowed down
 * @param flushThreads LogBlocks that a subtask builds concurrently
 * @param zstdLevel compression level of LogBlocks
 */
public record BuildOptions(
        DecodingPolicy policy,
        DeclaredColumns columns,
        long flushBytes,
        long smallBytes,
        long tinyBytes,
        long tinyLagBytes,
        Duration minAge,
        Duration smallAge,
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
        if (smallAge.toMillis() <= 0) {
            throw new IllegalArgumentException("smallAge must be at least a millisecond, not %s".formatted(smallAge));
        }
        if (minAge.compareTo(maxAge) > 0) {
            throw new IllegalArgumentException("minAge %s is above maxAge %s".formatted(minAge, maxAge));
        }
        if (minAge.compareTo(smallAge) > 0) {
            throw new IllegalArgumentException("minAge %s is above smallAge %s".formatted(minAge, smallAge));
        }
        if (smallAge.compareTo(maxAge) > 0) {
            throw new IllegalArgumentException("smallAge %s is above maxAge %s".formatted(smallAge, maxAge));
        }
        if (tinyBytes > smallBytes) {
            throw new IllegalArgumentException("tinyBytes %d is above smallBytes %d".formatted(tinyBytes, smallBytes));
        }
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("%s must be positive, not %d".formatted(name, value));
        }
    }

    /** The settings of one slot, with its share of the task manager's memory. */
    BuildOptions perSlot(int slots) {
        return new BuildOptions(
                policy,
                columns,
                flushBytes,
                smallBytes,
                tinyBytes,
                tinyLagBytes,
                minAge,
                smallAge,
                maxAge,
                maxLagBytes,
                maxAgedFlushes,
                bufferBytes / slots,
                maxWaitingBytes / slots,
                flushThreads,
                zstdLevel);
    }

    /** The settings for writing LogBlocks. */
    public LogBlockOptions logBlockOptions() {
        return LogBlockOptions.DEFAULTS.withZstdLevel(zstdLevel);
    }
}
