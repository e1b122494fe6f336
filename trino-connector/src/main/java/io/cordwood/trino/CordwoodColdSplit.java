package io.cordwood.trino;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.LogBlockSchema;

/**
 * One LogBlock of a scan. Immutable.
 *
 * @param path location of the object
 * @param sizeInBytes its length
 * @param rowCount its rows
 * @param fromMicros time of its first row, or a bound below it
 * @param toMicros time of its last row, or a bound above it
 * @param binding what the columns of the scan are in it
 */
public record CordwoodColdSplit(
        String path, long sizeInBytes, long rowCount, long fromMicros, long toMicros, TableBinding binding) {
    public CordwoodColdSplit {
        requireNonNull(path, "path is null");
        requireNonNull(binding, "binding is null");
    }

    /** At least as many of its rows have not expired. */
    long rowsCertainlyKept() {
        return fromMicros >= binding.expiredBeforeMicros() ? rowCount : 0;
    }

    /** The LogBlock as errors name it. */
    String description() {
        return binding.constant(LogBlockSchema.TENANT_ID)
                .map(tenant -> "the LogBlock %s of tenant '%s'".formatted(path, tenant))
                .orElse("the LogBlock " + path);
    }
}
