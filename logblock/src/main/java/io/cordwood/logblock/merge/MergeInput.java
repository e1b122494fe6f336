package io.cordwood.logblock.merge;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import java.io.IOException;

/**
 * A LogBlock to be merged. It is opened when the merge comes to its time, and closed when its rows are done.
 *
 * @param firstTime a time, microseconds since 1970, that none of its rows is before
 * @param deletedRows row numbers, ascending, that are left out
 * @param opener opens it
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them
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
