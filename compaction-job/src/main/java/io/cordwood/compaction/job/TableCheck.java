package io.cordwood.compaction.job;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The last check of a table for merges. It decides which days the next one looks at. Immutable.
 *
 * @param metadataLocation where the table's metadata was; empty if merges were found, so that the table is checked
 *     again even if they are postponed or fail
 * @param allDaysNanos tick of the last check of all its days; empty if the next check looks at all
 * @param againMillis the time from which a check of all days may find merges although the table has not changed; 0 if
 *     it always may, {@link Long#MAX_VALUE} if it never will
 * @param hasMergesForLayout whether it found merges that wait for a cycle in which there are such
 */
record TableCheck(String metadataLocation, OptionalLong allDaysNanos, long againMillis, boolean hasMergesForLayout) {
    private static final Duration ALL_DAYS_INTERVAL = Duration.ofHours(1);

    /** Days of a table. */
    enum Days {
        NONE,
        RECENT,
        ALL
    }

    /** The table was never checked, or the last check of all its days found merges. */
    static final TableCheck ALL_DUE = new TableCheck("", OptionalLong.empty(), 0, false);

    /**
     * A check of all days.
     *
     * @param hasMerges whether it found merges other than those for the layout
     * @param hasMergesForLayout whether it found merges for the layout
     * @param tick of {@link System#nanoTime}
     */
    static TableCheck ofAllDays(
            String metadataLocation, boolean hasMerges, boolean hasMergesForLayout, long tick, long againMillis) {
        return hasMerges
                ? ALL_DUE
                : new TableCheck(metadataLocation, OptionalLong.of(tick), againMillis, hasMergesForLayout);
    }

    /**
     * A check of recent days after this one. Rows may have come to older days.
     *
     * @param hasMerges whether it found merges other than those for the layout
     * @param foundMergesForLayout whether it found merges for the layout
     */
    TableCheck thenRecentDays(String newMetadataLocation, boolean hasMerges, boolean foundMergesForLayout) {
        return new TableCheck(
                hasMerges ? "" : newMetadataLocation, allDaysNanos, 0, hasMergesForLayout || foundMergesForLayout);
    }

    /**
     * Returns the days that the next check looks at.
     *
     * @param newMetadataLocation where the table's metadata is now
     * @param tick of {@link System#nanoTime}
     * @param isForLayout whether there are merges for the layout in this cycle
     */
    Days daysDue(String newMetadataLocation, long nowMillis, long tick, boolean isForLayout) {
        if (isForLayout && hasMergesForLayout) {
            return Days.ALL;
        }
        boolean isAllDaysDue = allDaysNanos.isEmpty() || tick - allDaysNanos.getAsLong() >= ALL_DAYS_INTERVAL.toNanos();
        if (!metadataLocation.equals(newMetadataLocation)) {
            return isAllDaysDue ? Days.ALL : Days.RECENT;
        }
        return isAllDaysDue && nowMillis >= againMillis ? Days.ALL : Days.NONE;
    }
}
