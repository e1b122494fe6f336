package io.cordwood.catalog;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Set;
import org.apache.iceberg.catalog.Catalog;

/** Commits LogBlocks to tables so that every row is there exactly once. Thread-safe. */
public final class LogBlockCommitter {
    private final Catalog catalog;
    private final ArchivedThrough archivedThrough;
    private final Trimmer trimmer;

    /** Commits to the tables of this catalog. */
    public LogBlockCommitter(Catalog catalog, ArchivedThrough archivedThrough, Trimmer trimmer) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.archivedThrough = requireNonNull(archivedThrough, "archivedThrough is null");
        this.trimmer = requireNonNull(trimmer, "trimmer is null");
    }

    /**
     * Commits flushes of one table in at most one snapshot.
     *
     * @param flushes in any order; they are committed ordered by partition and {@code from}
     * @return one outcome for each flush, in the order of the flushes
     * @throws TableCommitException if the table cannot be committed to
     */
    public List<CommitOutcome> commit(String tenantId, String stream, List<Flush> flushes) throws InterruptedException {
        return commit(tenantId, stream, flushes, Set.of());
    }

    /**
     * Commits flushes of one table in at most one snapshot, and drops the offsets of topics that are gone.
     *
     * @param flushes in any order; they are committed ordered by partition and {@code from}
     * @param goneTopicIds ids of topics that no longer exist in Kafka
     * @return one outcome for each flush, in the order of the flushes
     * @throws TableCommitException if the table cannot be committed to
     */
    public List<CommitOutcome> commit(String tenantId, String stream, List<Flush> flushes, Set<String> goneTopicIds)
            throws InterruptedException {
        throw new UnsupportedOperationException(
                "Not there yet: " + catalog + archivedThrough + trimmer + tenantId + stream + flushes + goneTopicIds);
    }
}
