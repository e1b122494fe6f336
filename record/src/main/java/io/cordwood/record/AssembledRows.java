package io.cordwood.record;

import java.util.List;
import java.util.Map;

/**
 * What {@link RowAssembler} makes of buffers.
 *
 * @param days the rows, one entry for each UTC day, ascending
 * @param degraded how many values of a member went to {@code attributes} instead of its column, by the member's dotted
 *     name; of the names past {@link #MAX_COUNTED} together, under {@link #OTHER_MEMBERS}
 */
public record AssembledRows(List<DayRows> days, Map<String, Long> degraded) {
    /** Names that are counted each for itself. */
    public static final int MAX_COUNTED = 1000;

    /** Stands for all other names. */
    public static final String OTHER_MEMBERS = "*";

    public AssembledRows {
        days = List.copyOf(days);
        degraded = Map.copyOf(degraded);
    }
}
