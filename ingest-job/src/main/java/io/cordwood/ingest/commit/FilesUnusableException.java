package io.cordwood.ingest.commit;

import io.cordwood.ingest.IngestException;

/**
 * A LogBlock that waits to be committed no longer exists, or its table was made anew, so that no checkpoint that holds it
 * is of use. All its rows
 * are above W: a job started without a checkpoint reads them again.
 */
public final class FilesUnusableException extends IngestException {
    private static final long serialVersionUID = 1;

    FilesUnusableException(String message) {
        super(message);
    }
}
