package io.cordwood.query.scan;

import io.cordwood.logblock.scan.ReadOptions;

/**
 * Which optimisations a scan uses. Immutable.
 *
 * @param options those of the LogBlock itself
 * @param useCache whether open LogBlocks and their bytes are kept
 * @param pushAggregation whether counts are answered without reading a LogBlock where its manifest tells them
 * @param usePrefetch whether what few rows hold is fetched for all columns at once
 */
public record ReadSettings(ReadOptions options, boolean useCache, boolean pushAggregation, boolean usePrefetch) {}
