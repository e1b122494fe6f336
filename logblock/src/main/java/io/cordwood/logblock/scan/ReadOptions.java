package io.cordwood.logblock.scan;

/**
 * The optimisations of a read. None of them changes a result.
 *
 * @param useIndex answer predicates from the index
 * @param useTimeIndex map time ranges to row ranges with the sparse time index
 * @param useStatistics skip column blocks by their min, max and null count
 */
public record ReadOptions(boolean useIndex, boolean useTimeIndex, boolean useStatistics) {
    public static final ReadOptions DEFAULTS = new ReadOptions(true, true, true);
}
