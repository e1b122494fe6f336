package io.cordwood.query.plan;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScannedLogBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The overlap of a LogBlock with the requested time range. Its rows are assumed to be spread evenly over its time.
 * Immutable.
 *
 * @param logBlock the LogBlock
 * @param fromMicros its first instant
 * @param toMicros its last instant
 */
public record TimeOverlap(ScannedLogBlock logBlock, long fromMicros, long toMicros) {
    public static TimeOverlap of(ScannedLogBlock logBlock, TimeRange time) {
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

    public long rows() {
        return (long) (logBlock.rowCount() * share());
    }

    /** The maximum number of parts. */
    int mostParts() {
        return isUnbounded() ? 1 : Math.clamp(toMicros - fromMicros, 1, Integer.MAX_VALUE);
    }

    /** Cuts the overlap by time; the time index maps each slice to rows. */
    List<LogBlockPart> slices(int parts) {
        List<LogBlockPart> slices = new ArrayList<>(parts);
        long span = toMicros - fromMicros;
        long from = Long.MIN_VALUE;
        for (int part = 1; part <= parts; part++) {
            // The outer ends stay open: the bounds need not be exact
            long to = part == parts ? Long.MAX_VALUE : fromMicros + span / parts * part;
            slices.add(new LogBlockPart(logBlock, Optional.of(new TimeRange(from, to))));
            from = to == Long.MAX_VALUE ? to : to + 1;
        }
        return slices;
    }
}
