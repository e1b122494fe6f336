package io.cordwood.query.plan;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import io.cordwood.catalog.delete.RowDeleteFile;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.table.QueryColumn;
import java.util.List;

/**
 * One LogBlock of a scan, or the rows of it in a time range. Immutable.
 *
 * @param path location of the object; for hot rows, which are in memory, a name
 * @param sizeInBytes its length
 * @param rowCount its rows
 * @param fromMicros time of its first row, or a bound below it
 * @param toMicros time of its last row, or a bound above it
 * @param deletes the delete files that apply to it
 * @param requested times of the rows to read; {@link TimeRange#ALL} unless several readers share the LogBlock
 * @param binding maps the columns of the scan to the table's stored columns; all LogBlocks of the table share it
 */
public record ScannedLogBlock(
        String path,
        long sizeInBytes,
        long rowCount,
        long fromMicros,
        long toMicros,
        List<RowDeleteFile> deletes,
        @JsonIncludeProperties({"fromMicros", "toMicros"}) TimeRange requested,
        TableBinding binding) {
    public ScannedLogBlock {
        requireNonNull(path, "path is null");
        deletes = List.copyOf(deletes);
        requireNonNull(requested, "requested is null");
        requireNonNull(binding, "binding is null");
    }

    /** A whole LogBlock without deleted rows. */
    public ScannedLogBlock(
            String path, long sizeInBytes, long rowCount, long fromMicros, long toMicros, TableBinding binding) {
        this(path, sizeInBytes, rowCount, fromMicros, toMicros, List.of(), TimeRange.ALL, binding);
    }

    /** The rows of this LogBlock in a time range. */
    ScannedLogBlock within(TimeRange part) {
        return new ScannedLogBlock(path, sizeInBytes, rowCount, fromMicros, toMicros, deletes, part, binding);
    }

    /**
     * The binding of its rows: that of the table, and the constants of this LogBlock. Hot rows have no {@code $path}.
     */
    public TableBinding rowBinding() {
        boolean isCold = binding.constant(QueryColumn.TIER_NAME)
                .filter(ScanBindings.COLD::equals)
                .isPresent();
        return isCold ? binding.withConstant(QueryColumn.PATH_NAME, path) : binding;
    }

    /**
     * A lower bound of its rows that are neither deleted nor expired: a delete file may apply to other LogBlocks too.
     */
    long certainRows() {
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
