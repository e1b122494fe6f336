package io.cordwood.catalog.maintenance;

import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsBulkOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes objects, many per request if the store supports it. Not thread-safe. */
final class StoredObjects {
    private static final Logger LOG = LoggerFactory.getLogger(StoredObjects.class);
    /** Most objects in one request to an S3 store. */
    private static final int BATCH = 1000;

    private final FileIO io;
    private final List<String> waiting = new ArrayList<>();
    private int deleted;

    StoredObjects(FileIO io) {
        this.io = io;
    }

    /** Deletes the object, possibly later. */
    void delete(String location) {
        waiting.add(location);
        if (waiting.size() == BATCH) {
            deleteWaiting();
        }
    }

    /**
     * Deletes the objects that still wait.
     *
     * @return number of deleted objects in all; a failure is logged, and the orphan cleaner deletes that object
     */
    int finish() {
        deleteWaiting();
        return deleted;
    }

    private void deleteWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        if (io instanceof SupportsBulkOperations bulk) {
            deleteAtOnce(bulk);
        } else {
            waiting.forEach(this::deleteOne);
        }
        waiting.clear();
    }

    private void deleteAtOnce(SupportsBulkOperations bulk) {
        try {
            bulk.deleteFiles(List.copyOf(waiting));
            deleted += waiting.size();
        } catch (BulkDeletionFailureException e) {
            deleted += waiting.size() - e.numberFailedObjects();
            LOG.warn(
                    "Cannot delete {} of {} objects, {} among them",
                    e.numberFailedObjects(),
                    waiting.size(),
                    waiting.getFirst(),
                    e);
        }
    }

    private void deleteOne(String location) {
        try {
            io.deleteFile(location);
            deleted++;
        } catch (RuntimeException e) {
            LOG.warn("Cannot delete {}", location, e);
        }
    }
}
