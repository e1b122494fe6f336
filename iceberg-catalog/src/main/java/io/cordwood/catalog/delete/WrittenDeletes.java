package io.cordwood.catalog.delete;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A written position delete file that is not in its table yet. Immutable.
 *
 * @param location URI of the file
 * @param sizeInBytes its length
 * @param rowCount number of rows that it deletes
 * @param dataFiles locations of the data files whose rows it deletes, all of one partition
 */
public record WrittenDeletes(String location, long sizeInBytes, long rowCount, List<String> dataFiles) {
    public WrittenDeletes {
        requireNonNull(location, "location is null");
        dataFiles = List.copyOf(dataFiles);
    }
}
