package io.cordwood.catalog;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** Table operations around whose commit a test does something. */
abstract class FaultyOperations implements TableOperations {
    private final TableOperations delegate;

    FaultyOperations(TableOperations delegate) {
        this.delegate = delegate;
    }

    /** Commits by {@link #reallyCommit}, or does not, and returns or throws as the test wants. */
    abstract void faultyCommit(TableMetadata base, TableMetadata metadata);

    final void reallyCommit(TableMetadata base, TableMetadata metadata) {
        delegate.commit(base, metadata);
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        faultyCommit(base, metadata);
    }

    @Override
    public TableMetadata current() {
        return delegate.current();
    }

    @Override
    public TableMetadata refresh() {
        return delegate.refresh();
    }

    @Override
    public FileIO io() {
        return delegate.io();
    }

    @Override
    public EncryptionManager encryption() {
        return delegate.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName) {
        return delegate.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
        return delegate.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommittedMetadata) {
        return delegate.temp(uncommittedMetadata);
    }

    @Override
    public long newSnapshotId() {
        return delegate.newSnapshotId();
    }
}
