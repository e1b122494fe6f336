package io.cordwood.ingest.commit;

import io.cordwood.ingest.runtime.IngestException;

/**
 * No checkpoint that holds a flush is of use: its LogBlocks no longer exist, its table was made anew, or a flush before
 * it is in neither the checkpoint nor the table. All its rows are above W: a job started without a checkpoint reads
 * them again.
 */
public final class FilesUnusableException extends IngestException {
    private static final long serialVersionUID = 1;

    FilesUnusableException(String message) {
        super(message);
    }
}
