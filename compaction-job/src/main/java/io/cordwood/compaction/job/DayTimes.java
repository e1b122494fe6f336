package io.cordwood.compaction.job;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Times at which more may be done for a day of rows, in milliseconds since the epoch. Stateless, thread-safe. */
final class DayTimes {
    /**
     * Rows that come later than this after the end of their day are late. It is an hour more than the ingest job lets
     * very few rows wait by default.
     */
    private static final Duration LATE = Duration.ofHours(7);

    /** A tenth fewer bytes for less than a week are not worth a merge. */
    private static final int LEAST_DENSE_DAYS = 7;

    private DayTimes() {}

    /** Later rows of the day are late, so the day is worth more merges. */
    static long closesMillis(int epochDay) {
        return Duration.ofDays(epochDay + 1L).plus(LATE).toMillis();
    }

    /**
     * Whether the LogBlocks of a day are to have the dense layout; not if the day expires soon.
     *
     * @param retentionDays how many days rows are kept; 0: for ever
     */
    static boolean isDense(int epochDay, OptionalInt denseAfterDays, int retentionDays, long now) {
        return denseAfterDays.isPresent()
                && now >= afterEnd(epochDay, denseAfterDays.getAsInt())
                && (retentionDays == 0 || now < afterEnd(epochDay, retentionDays - LEAST_DENSE_DAYS));
    }

    private static long afterEnd(int epochDay, int days) {
        return Duration.ofDays(epochDay + 1L + days).toMillis();
    }

    /** When the first of the days closes or is due for the dense layout; {@link Long#MAX_VALUE} if none will. */
    static long nextChange(IntStream epochDays, OptionalInt denseAfterDays, long now) {
        return epochDays
                .mapToObj(day -> denseAfterDays.isPresent()
                        ? LongStream.of(closesMillis(day), afterEnd(day, denseAfterDays.getAsInt()))
                        : LongStream.of(closesMillis(day)))
                .flatMapToLong(times -> times)
                .filter(change -> change > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
