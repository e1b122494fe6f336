package io.cordwood.trino.handle;

import io.trino.spi.connector.ConnectorSplit;

/** A part of a scan that one page source reads. Immutable. */
public sealed interface CordwoodSplit extends ConnectorSplit
        permits CordwoodLogBlocksSplit, CordwoodHotSplit, CordwoodCombinedSplit {}
