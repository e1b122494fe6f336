package io.cordwood.catalog.delete;

import io.cordwood.catalog.commit.TableCommitException;

/**
 * A data file with rows to delete is no longer in the table: it was compacted or dropped since it was read. Nothing was
 * deleted; reading the table again and deleting again will succeed.
 */
public final class RowsMovedException extends TableCommitException {
    private static final long serialVersionUID = 1;

    RowsMovedException(String tenantId, String stream, String dataFile, Throwable cause) {
        super(
                tenantId,
                stream,
                "the data file %s was rewritten or dropped since it was read; no row was deleted, run the DELETE again"
                        .formatted(dataFile),
                cause);
    }
}
