package io.cordwood.query.scan;

import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.query.plan.ScannedLogBlock;

/** A LogBlock in memory, which needs no opening. Thread-safe. */
record LogBlockInMemory(LogBlock logBlock) implements LogBlocks {
    @Override
    public LogBlock open(ScannedLogBlock split, boolean useCache, ReadMetrics metrics) {
        return logBlock;
    }

    @Override
    public DeletedRows deletedRows(ScannedLogBlock split, boolean useCache) {
        return DeletedRows.NONE;
    }

    @Override
    public void forget(ScannedLogBlock split, Exception failure) {}

    @Override
    public void used(ScannedLogBlock split, LogBlock used) {}
}
