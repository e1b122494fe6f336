package io.cordwood.catalog.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.LogBlockFile;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * A replacement of LogBlocks of a table by others with the same rows, except for deleted ones. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param tableUuid UUID of the table that the files were read from
 * @param snapshotId the snapshot that lists the inputs; a later delete makes the rewrite void
 * @param replaced data files to remove
 * @param deletes delete files to remove, because they apply to no other data file
 * @param written data files to add
 */
public record Rewrite(
        String tenantId,
        String stream,
        String tableUuid,
        long snapshotId,
        Set<DataFile> replaced,
        Set<DeleteFile> deletes,
        List<LogBlockFile> written) {
    public Rewrite {
        requireNonNull(tenantId, "tenantId is null");
        requireNonNull(stream, "stream is null");
        requireNonNull(tableUuid, "tableUuid is null");
        replaced = Set.copyOf(replaced);
        deletes = Set.copyOf(deletes);
        written = List.copyOf(written);
    }
}
