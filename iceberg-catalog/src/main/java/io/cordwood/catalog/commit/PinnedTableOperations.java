package io.cordwood.catalog.commit;

import java.time.InstantSource;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/**
 * The operations of a table, held at the metadata whose offsets were checked, for one attempt to commit. Not
 * thread-safe.
 *
 * <p>{@link #refresh} returns the pinned metadata: Iceberg refreshes before its first attempt and applies pending
 * updates to whatever it finds, so without the pin a concurrent commit of the same rows would not be noticed and they
 * would stand in the table twice. {@code commit.retry.num-retries=0} does not prevent that.
 *
 * <p>{@link #commit} turns every exception into {@link CommitStateUnknownException}, the only one after which Iceberg
 * cleans nothing up: the answer of a commit that went through can be lost and come back as a conflict when it is sent
 * again, and Iceberg would then delete the manifest list of a committed snapshot.
 *
 * <p>After a commit that certainly succeeded they are those of the table as it is then, so that what the commit left
 * unused can be found.
 *
 * <p>Times in it that have not come yet count as the present, as {@link TableTimes} tells; snapshots that were pinned
 * keep the times that they have there.
 *
 * <p>Whoever commits through it reloads the table and reads the offsets to learn what happened. Compaction and
 * retention commit through it too.
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
