package io.cordwood.catalog;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * Changes to a table that are put together in memory and committed at once. Not thread-safe.
 *
 * <p>What Iceberg's transactions do, but that they read the manifest list of each new snapshot again after the commit, to
 * clean up after themselves. What is staged deletes no file that a commit could refer to: an append that merges manifests drops only
 * merged ones that it did not stage.
 */
final class StagedTableOperations implements TableOperations {
    private final TableOperations delegate;
    private final TableMetadata base;
    private TableMetadata staged;

    /** Stages changes to the table as the operations have it. */
    StagedTableOperations(TableOperations delegate) {
        this.delegate = delegate;
        this.base = delegate.current();
        this.staged = base;
    }

    /** The table with what is staged; changes to it are staged. */
    Table table(String name) {
        return new BaseTable(this, name, report -> {});
    }

    /** Commits what is staged. */
    void commit() {
        delegate.commit(base, staged);
    }

    @Override
    public TableMetadata current() {
        return staged;
    }

    @Override
    public TableMetadata refresh() {
        return staged;
    }

    @Override
    public void commit(TableMetadata from, TableMetadata to) {
        staged = to;
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
    public long newSnapshotId() {
        return delegate.newSnapshotId();
    }
}
