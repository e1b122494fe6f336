package io.cordwood.trino;

import io.trino.spi.connector.ConnectorSplit;

/** A part of a scan that one page source reads: rows of one tenant in one place. Immutable. */
public sealed interface CordwoodSplit extends ConnectorSplit permits CordwoodColdSplit {
    /** What the columns of the scan are in that place. */
    TableBinding binding();
}
