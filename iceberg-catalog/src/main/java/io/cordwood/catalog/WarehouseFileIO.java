package io.cordwood.catalog;

import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Objects of a warehouse, wherever it is: in an S3 store if their location begins with {@code s3://}, else on the local
 * disk. Either way an object appears under its name only when it is complete. Thread-safe, serializable.
 *
 * <p>Nothing of the S3 client is loaded before the first object of a store is named.
 */
public final class WarehouseFileIO implements SupportsPrefixOperations {
    private static final long serialVersionUID = 1;

    private final LocalFileIO local = new LocalFileIO();
    private Map<String, String> properties = Map.of();
    private transient volatile SupportsPrefixOperations s3;

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
        return io(location).newInputFile(location);
    }

    @Override
    public InputFile newInputFile(String location, long length) {
        return io(location).newInputFile(location, length);
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

    @Override
    public void deletePrefix(String prefix) {
        io(prefix).deletePrefix(prefix);
    }

    private SupportsPrefixOperations io(String location) {
        return S3Settings.isS3(location) ? s3() : local;
    }

    private synchronized SupportsPrefixOperations s3() {
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
