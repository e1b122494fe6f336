package io.cordwood.catalog.commit;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;

/**
 * Changes to a table that are staged in memory and committed at once. Not thread-safe.
 *
 * <p>Unlike this class, Iceberg's transactions read the manifest list of each new snapshot again after the commit, for
 * their clean-up. The staged changes delete no file that a commit could refer to: an append that merges manifests drops
 * only merged ones that it did not stage, and so does a rewrite.
 */
final class StagedTableOperations extends ForwardingTableOperations {
    private final TableMetadata base;
    private TableMetadata staged;

    /** Stages changes to the current table of the operations. */
    StagedTableOperations(TableOperations delegate) {
        super(delegate);
        this.base = delegate.current();
        this.staged = base;
    }

    /** The table with the staged changes; further changes to it are staged too. */
    Table table(String name) {
        return new BaseTable(this, name, report -> {});
    }

    /** Commits the staged changes. */
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
}
