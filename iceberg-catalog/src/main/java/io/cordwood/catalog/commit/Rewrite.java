package io.cordwood.catalog.commit;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.table.LogBlockFile;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * LogBlocks of a table that are to stand in the place of others and hold the same rows, but for those that were
 * deleted. Immutable.
 *
 * @param tenantId the tenant
 * @param stream the stream
 * @param tableUuid UUID of the table that the files were read from
 * @param snapshotId the snapshot in which they were found; a delete that came after it makes the rewrite void
 * @param replaced data files that go
 * @param deletes delete files that go, as they say nothing of any other data file
 * @param written what comes instead
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
