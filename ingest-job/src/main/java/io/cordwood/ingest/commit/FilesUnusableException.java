package io.cordwood.ingest.commit;

import io.cordwood.ingest.runtime.IngestException;

/**
 * Thrown if no checkpoint with a flush is usable: its LogBlocks no longer exist, its table was recreated, or an earlier
 * flush is in neither the checkpoint nor the table. All its rows are above archived-through: a job started without a
 * checkpoint reads them again.
 */
public final class FilesUnusableException extends IngestException {
    private static final long serialVersionUID = 1;

    FilesUnusableException(String message) {
        super(message);
    }
}
