package io.cordwood.catalog.commit;

import io.cordwood.catalog.table.LogBlockFile;
import java.io.IOException;
import java.util.List;

/** Writes LogBlocks anew without the rows that are in the table already. Supplied by the ingest job; thread-safe. */
@FunctionalInterface
public interface FlushRewriter {
    /**
     * Writes the rows of a flush with offset {@code >= firstOffset} to new LogBlocks, whose names carry the label
     * {@code [firstOffset, to)}. The files of the flush stay as they are.
     *
     * @return the new files; none if no row is left
     * @throws IOException if the rows cannot be read or written
     */
    List<LogBlockFile> trim(String tenantId, String stream, Flush flush, long firstOffset) throws IOException;
}
