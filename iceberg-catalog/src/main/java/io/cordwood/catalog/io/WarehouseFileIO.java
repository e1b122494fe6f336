package io.cordwood.catalog.io;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsBulkOperations;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File access for a warehouse: in an S3 store for locations that begin with {@code s3://}, else on the local disk.
 * Either way an object appears under its name only when it is complete. Thread-safe, serializable.
 *
 * <p>The S3 client is loaded only with the first object of a store.
 */
public final class WarehouseFileIO implements FileIO, SupportsPrefixOperations, SupportsBulkOperations {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(WarehouseFileIO.class);

    private final LocalFileIO local = new LocalFileIO();
    private Map<String, String> properties = Map.of();
    private transient volatile S3FileIO s3;

    @Override
    public void initialize(Map<String, String> newProperties) {
        properties = Map.copyOf(newProperties);
    }

    @Override
    public Map<String, String> properties() {
        return properties;
    }

    @Override
    public InputFile newInputFile(String location) {
        return S3Settings.isS3(location)
                ? new S3InputFile(new S3Object(s3().client(), location))
                : local.newInputFile(location);
    }

    @Override
    public InputFile newInputFile(String location, long length) {
        return S3Settings.isS3(location)
                ? new S3InputFile(new S3Object(s3().client(), location), length)
                : local.newInputFile(location, length);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return io(location).newOutputFile(location);
    }

    @Override
    public void deleteFile(String location) {
        io(location).deleteFile(location);
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        return io(prefix).listPrefix(prefix);
    }

    /**
     * Names of the directories directly below a directory, in order; none if it does not exist. In a store they are
     * what its keys have between this prefix and the next slash.
     *
     * @param directory location without a slash at the end
     */
    public List<String> directories(String directory) {
        return S3Settings.isS3(directory)
                ? new S3Object(s3().client(), directory + "/").commonPrefixes()
                : local.directories(directory);
    }

    @Override
    public void deletePrefix(String prefix) {
        io(prefix).deletePrefix(prefix);
    }

    /** Deletes the objects; in a store many per request. */
    @Override
    public void deleteFiles(Iterable<String> locations) {
        List<String> stored = new ArrayList<>();
        int failed = 0;
        for (String location : locations) {
            if (S3Settings.isS3(location)) {
                stored.add(location);
            } else {
                failed += deleted(location) ? 0 : 1;
            }
        }
        if (!stored.isEmpty()) {
            try {
                s3().deleteFiles(stored);
            } catch (BulkDeletionFailureException e) {
                failed += e.numberFailedObjects();
            }
        }
        if (failed > 0) {
            throw new BulkDeletionFailureException(failed);
        }
    }

    private boolean deleted(String location) {
        try {
            local.deleteFile(location);
            return true;
        } catch (RuntimeIOException e) {
            LOG.warn("Cannot delete {}", location, e);
            return false;
        }
    }

    private SupportsPrefixOperations io(String location) {
        return S3Settings.isS3(location) ? s3() : local;
    }

    private synchronized S3FileIO s3() {
        if (s3 == null) {
            Map<String, String> withClient = new HashMap<>(properties);
            withClient.put(S3FileIOProperties.CLIENT_FACTORY, S3ClientFactory.class.getName());
            S3FileIO store = new S3FileIO();
            store.initialize(withClient);
            s3 = store;
        }
        return s3;
    }

    @Override
    public synchronized void close() {
        if (s3 != null) {
            s3.close();
            s3 = null;
        }
    }
}
