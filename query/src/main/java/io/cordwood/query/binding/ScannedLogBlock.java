package io.cordwood.query.binding;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.delete.RowDeleteFile;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.List;

/**
 * One LogBlock of a scan. Immutable.
 *
 * @param path location of the object
 * @param sizeInBytes its length
 * @param rowCount its rows
 * @param fromMicros time of its first row, or a bound below it
 * @param toMicros time of its last row, or a bound above it
 * @param deletes the delete files that apply to it
 * @param binding maps the columns of the scan to its stored columns
 */
public record ScannedLogBlock(
        String path,
        long sizeInBytes,
        long rowCount,
        long fromMicros,
        long toMicros,
        List<RowDeleteFile> deletes,
        TableBinding binding) {
    public ScannedLogBlock {
        requireNonNull(path, "path is null");
        deletes = List.copyOf(deletes);
        requireNonNull(binding, "binding is null");
    }

    /**
     * A lower bound of its rows that are neither deleted nor expired: a delete file may apply to other LogBlocks too.
     */
    public long certainRows() {
        if (fromMicros < binding.expiredBeforeMicros()
                || binding.visible().isPresent()
                // Any number of rows may have the value
                || deletes.stream().anyMatch(RowDeleteFile::isByValues)) {
            return 0;
        }
        long deleted = deletes.stream().mapToLong(RowDeleteFile::rowCount).sum();
        return Math.max(0, rowCount - deleted);
    }

    /** The LogBlock as errors name it. */
    public String description() {
        return binding.constant(LogBlockSchema.TENANT_ID)
                .map(tenant -> "the LogBlock %s of tenant '%s'".formatted(path, tenant))
                .orElse("the LogBlock " + path);
    }
}
