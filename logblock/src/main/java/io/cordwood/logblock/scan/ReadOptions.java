package io.cordwood.logblock.scan;

/**
 * Which optimisations a read uses. None of them changes a result.
 *
 * @param useIndex answer predicates from the index
 * @param useTimeIndex turn time ranges into row ranges by the sparse time index
 * @param useStatistics skip column blocks by their min, max and null count
 */
public record ReadOptions(boolean useIndex, boolean useTimeIndex, boolean useStatistics) {
    public static final ReadOptions DEFAULTS = new ReadOptions(true, true, true);
}
