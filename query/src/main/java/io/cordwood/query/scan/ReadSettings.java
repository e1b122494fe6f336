package io.cordwood.query.scan;

import io.cordwood.logblock.scan.ReadOptions;

/**
 * The optimisations that a scan uses. Immutable.
 *
 * @param options the options of the LogBlock itself
 * @param useCache whether open LogBlocks and their bytes are cached
 * @param pushAggregation whether counts come from manifests where possible, without reading the LogBlock
 * @param usePrefetch whether the values of few rows are fetched for all columns at once
 */
public record ReadSettings(ReadOptions options, boolean useCache, boolean pushAggregation, boolean usePrefetch) {}
