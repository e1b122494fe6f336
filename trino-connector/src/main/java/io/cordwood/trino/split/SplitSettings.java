package io.cordwood.trino.split;

import io.airlift.units.Duration;

/**
 * How the splits of a scan are made. Immutable.
 *
 * @param cutsLogBlocks whether a large LogBlock may be read in parts
 * @param usesDynamicFilter whether what a join has learnt may rule LogBlocks out
 * @param dynamicFilterWait how long to wait for that
 */
public record SplitSettings(boolean cutsLogBlocks, boolean usesDynamicFilter, Duration dynamicFilterWait) {}
