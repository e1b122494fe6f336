package io.cordwood.catalog.commit;

import io.cordwood.catalog.table.LogBlockFile;
import java.io.IOException;
import java.util.List;

/** Rewrites LogBlocks without the rows that the table already has. The ingest job supplies it. Thread-safe. */
@FunctionalInterface
public interface FlushRewriter {
    /**
     * Writes the rows of a flush from {@code firstOffset} on to new LogBlocks, with the label {@code [firstOffset, to)}
     * in their names. The files of the flush stay unchanged.
     *
     * @return the new files; none if no row is left
     * @throws IOException if the rows cannot be read or written
     */
    List<LogBlockFile> rewrite(String tenantId, String stream, Flush flush, long firstOffset) throws IOException;
}
