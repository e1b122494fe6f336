package io.cordwood.query.plan;

import io.cordwood.logblock.schema.TimeRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The overlap of a LogBlock with the requested time range. Its rows are assumed to be spread evenly over its time.
 * Immutable.
 *
 * @param logBlock the LogBlock
 * @param fromMicros its first instant
 * @param toMicros its last instant
 */
record TimeOverlap(ScannedLogBlock logBlock, long fromMicros, long toMicros) {
    static TimeOverlap of(ScannedLogBlock logBlock, TimeRange time) {
        return new TimeOverlap(
                logBlock,
                Math.max(logBlock.fromMicros(), time.fromMicros()),
                Math.min(logBlock.toMicros(), time.toMicros()));
    }

    /** Whether the times of the LogBlock are unknown: then all of it counts. */
    private boolean isUnbounded() {
        return logBlock.fromMicros() == Long.MIN_VALUE || logBlock.toMicros() == Long.MAX_VALUE;
    }

    private double share() {
        // Without statistics, LogBlocks of other times get here too
        return isUnbounded()
                ? 1
                : Math.max(0, (double) toMicros - fromMicros + 1)
                        / ((double) logBlock.toMicros() - logBlock.fromMicros() + 1);
    }

    long bytes() {
        return (long) (logBlock.sizeInBytes() * share());
    }

    long rows() {
        return (long) (logBlock.rowCount() * share());
    }

    /** The maximum number of parts. */
    int mostParts() {
        return isUnbounded() ? 1 : Math.clamp(toMicros - fromMicros, 1, Integer.MAX_VALUE);
    }

    /** Cuts the overlap by time; the time index maps each slice to rows. */
    List<ScannedLogBlock> slices(int parts) {
        List<ScannedLogBlock> slices = new ArrayList<>(parts);
        long span = toMicros - fromMicros;
        long from = Long.MIN_VALUE;
        for (int part = 1; part <= parts; part++) {
            // The outer ends stay open: the bounds need not be exact
            long to = part == parts ? Long.MAX_VALUE : fromMicros + span / parts * part;
            slices.add(logBlock.within(new TimeRange(from, to)));
            from = to == Long.MAX_VALUE ? to : to + 1;
        }
        return slices;
    }
}
