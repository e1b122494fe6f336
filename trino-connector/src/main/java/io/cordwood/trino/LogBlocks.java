package io.cordwood.trino;

import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.trino.spi.TrinoException;

/** Where page sources get their LogBlocks from. Thread-safe. */
interface LogBlocks {
    /**
     * Opens a LogBlock, or gives the one that is open.
     *
     * @throws TrinoException CORDWOOD_CANNOT_OPEN_LOGBLOCK if that fails
     */
    LogBlock open(CordwoodColdSplit split, boolean useCache, ReadMetrics metrics);

    /**
     * The deleted rows of a LogBlock.
     *
     * @throws TrinoException CORDWOOD_CURSOR_ERROR if a delete file cannot be read
     */
    DeletedRows deletedRows(CordwoodColdSplit split, boolean useCache);

    /** Drops a LogBlock that could not be read, so that the next query reads it anew. */
    void forget(CordwoodColdSplit split, Exception failure);

    /** Takes note that a LogBlock was read. */
    void used(CordwoodColdSplit split, LogBlock logBlock);
}
