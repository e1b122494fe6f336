package io.cordwood.trino;

import io.cordwood.logblock.ReadOptions;

/**
 * Which optimisations a page source uses. Immutable.
 *
 * @param options those of the LogBlock itself
 * @param useCache whether open LogBlocks and their bytes are kept
 * @param pushAggregation whether counts are answered without reading a LogBlock where its manifest tells them
 */
record ReadSettings(ReadOptions options, boolean useCache, boolean pushAggregation) {}
