package io.cordwood.catalog.delete;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A position delete file that was written and is not yet in its table. Immutable.
 *
 * @param location URI of the file
 * @param sizeInBytes its length
 * @param rowCount how many rows it deletes
 * @param dataFiles locations of the data files whose rows it deletes, all of one partition
 */
public record WrittenDeletes(String location, long sizeInBytes, long rowCount, List<String> dataFiles) {
    public WrittenDeletes {
        requireNonNull(location, "location is null");
        dataFiles = List.copyOf(dataFiles);
    }
}
