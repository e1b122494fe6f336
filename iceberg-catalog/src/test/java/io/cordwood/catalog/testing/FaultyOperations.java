package io.cordwood.catalog.testing;

import io.cordwood.catalog.commit.ForwardingTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;

/** Table operations around whose commit a test does something. */
public abstract class FaultyOperations extends ForwardingTableOperations {

    public FaultyOperations(TableOperations delegate) {
        super(delegate);
    }

    /** Commits by {@link #reallyCommit}, or does not, and returns or throws as the test wants. */
    public abstract void faultyCommit(TableMetadata base, TableMetadata metadata);

    public final void reallyCommit(TableMetadata base, TableMetadata metadata) {
        delegate.commit(base, metadata);
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        faultyCommit(base, metadata);
    }
}
