package io.cordwood.record;

import java.util.List;
import java.util.Map;

/**
 * What {@link RowAssembler} makes of buffers.
 *
 * @param days the rows, one entry for each UTC day, ascending
 * @param degraded how many values of a member went to {@code attributes} instead of its column, by the member's dotted
 *     name
 */
public record AssembledRows(List<DayRows> days, Map<String, Long> degraded) {
    public AssembledRows {
        days = List.copyOf(days);
        degraded = Map.copyOf(degraded);
    }
}
