package io.cordwood.logblock.merge;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import java.io.IOException;

/**
 * A LogBlock to merge. It is opened when the merge reaches its time, and closed after its last row, or
 * after the LogBlock that has pages of it.
 *
 * @param firstTime a lower bound of its rows' times, in microseconds since 1970
 * @param deletedRows ascending numbers of the rows to skip
 * @param opener opens it
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared
public record MergeInput(long firstTime, int[] deletedRows, Opener opener) {
    public MergeInput {
        requireNonNull(deletedRows, "deletedRows is null");
        requireNonNull(opener, "opener is null");
    }

    /** Opens a LogBlock. */
    @FunctionalInterface
    public interface Opener {
        LogBlock open(ReadMetrics metrics) throws IOException;
    }
}
