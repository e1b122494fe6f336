package io.cordwood.query.scan;

import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.plan.ScannedLogBlock;

/** The source of LogBlocks for readers. Thread-safe. */
public interface LogBlocks {
    /**
     * Opens a LogBlock, or returns the open one.
     *
     * @throws QueryException CANNOT_OPEN_LOGBLOCK, STORE_UNAVAILABLE if opening fails
     */
    LogBlock open(ScannedLogBlock split, boolean useCache, ReadMetrics metrics);

    /**
     * The deleted rows of a LogBlock.
     *
     * @throws QueryException CURSOR_ERROR, STORE_UNAVAILABLE if a delete file cannot be read
     */
    DeletedRows deletedRows(ScannedLogBlock split, boolean useCache);

    /** Drops a LogBlock that could not be read, so that the next query opens it again. */
    void forget(ScannedLogBlock split, Exception failure);

    /** Records that a LogBlock was read. */
    void used(ScannedLogBlock split, LogBlock logBlock);
}
