package io.cordwood.record.assemble;

import java.util.List;
import java.util.Map;

/**
 * The result of {@link RowAssembler}.
 *
 * @param days the rows, one entry for each UTC day, ascending
 * @param degraded number of values that went to {@code attributes} instead of their column, by the member's dotted
 *     name; names beyond {@link #MAX_COUNTED} share the entry {@link #OTHER_MEMBERS}
 */
public record AssembledRows(List<DayRows> days, Map<String, Long> degraded) {
    /** Number of names with a count of their own. */
    public static final int MAX_COUNTED = 1000;

    /** The shared entry of all other names. */
    public static final String OTHER_MEMBERS = "*";

    public AssembledRows {
        days = List.copyOf(days);
        degraded = Map.copyOf(degraded);
    }
}
