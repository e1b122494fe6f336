package io.cordwood.trino.handle;

import io.trino.spi.connector.ConnectorSplit;

/** A part of a scan that one page source reads: rows that lie in the same kind of place. Immutable. */
public sealed interface CordwoodSplit extends ConnectorSplit
        permits CordwoodLogBlocksSplit, CordwoodHotSplit, CordwoodCombinedSplit {}
