package io.cordwood.trino.split;

import io.airlift.units.Duration;

/**
 * Settings of the splits of a scan. Immutable.
 *
 * @param cutsLogBlocks whether a large LogBlock may be read in parts
 * @param usesDynamicFilter whether a join's dynamic filter may rule LogBlocks out
 * @param dynamicFilterWait maximum time to wait for the dynamic filter
 */
public record SplitSettings(boolean cutsLogBlocks, boolean usesDynamicFilter, Duration dynamicFilterWait) {}
