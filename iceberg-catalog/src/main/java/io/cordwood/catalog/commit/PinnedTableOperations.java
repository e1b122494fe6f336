package io.cordwood.catalog.commit;

import java.time.InstantSource;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/**
 * Operations of a table for one commit attempt, pinned to the metadata whose offsets were checked. Not thread-safe.
 *
 * <p>{@link #refresh} returns the pinned metadata. Iceberg refreshes before its first attempt and applies pending
 * updates to the result. So without the pin a concurrent commit of the same rows would go unnoticed, and the table
 * would have them twice. {@code commit.retry.num-retries=0} does not prevent that.
 *
 * <p>{@link #commit} converts every exception to {@link CommitStateUnknownException}, the only one after which Iceberg
 * cleans nothing up. The response to a successful commit can be lost, and the repeated request then reports a conflict;
 * Iceberg would delete the manifest list of a committed snapshot.
 *
 * <p>After a commit that certainly succeeded, these are the operations of the resulting table, so that files that the
 * commit left unused can be found.
 *
 * <p>Times in the future count as the present, as {@link TableTimes} explains; pinned snapshots keep their times.
 *
 * <p>The caller learns the outcome by reloading the table and reading its offsets. Compaction and retention commit
 * through this class too.
 */
public final class PinnedTableOperations extends ForwardingTableOperations {
    private final TableMetadata pinned;
    private boolean committed;

    public PinnedTableOperations(TableOperations operations) {
        super(new TimedTableOperations(operations, InstantSource.system()));
        this.pinned = delegate.current();
    }

    @Override
    public TableMetadata current() {
        return committed ? TableTimes.asBefore(pinned, delegate.current()) : pinned;
    }

    @Override
    public TableMetadata refresh() {
        return committed ? TableTimes.asBefore(pinned, delegate.refresh()) : pinned;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        try {
            delegate.commit(base, metadata);
            committed = true;
        } catch (CommitStateUnknownException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CommitStateUnknownException(e);
        }
    }
}
