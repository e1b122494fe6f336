package io.cordwood.catalog.table;

import static java.util.Objects.requireNonNull;

import io.cordwood.logblock.write.LogBlockSummary;

/**
 * A written LogBlock that is not in its table yet. Immutable.
 *
 * @param location URI of the object
 * @param epochDay UTC day of all its rows, days since 1970-01-01
 * @param summary summary of its content
 */
public record LogBlockFile(String location, int epochDay, LogBlockSummary summary) {
    public LogBlockFile {
        requireNonNull(location, "location is null");
        requireNonNull(summary, "summary is null");
    }
}
