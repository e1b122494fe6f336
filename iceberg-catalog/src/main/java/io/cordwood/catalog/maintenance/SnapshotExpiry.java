package io.cordwood.catalog.maintenance;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.commit.PinnedTableOperations;
import io.cordwood.catalog.commit.TableMetadataLimits;
import io.cordwood.catalog.tenant.TenantNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Expires snapshots and merges manifests, so that the metadata of a table stays small and unneeded files are removed.
 * Thread-safe.
 *
 * <p>Iceberg's own API expires snapshots that were replaced longer ago than a grace period. It then deletes the files
 * that no other snapshot refers to: manifest lists, manifests, and LogBlocks that were dropped or rewritten. It cleans
 * up only after a commit that certainly succeeded; files left by other commits are orphans.
 *
 * <p>Small manifests are merged once there are many, in addition to {@linkplain TableMetadataLimits the merges of each
 * append}.
 */
public final class SnapshotExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotExpiry.class);

    /** How long a snapshot stays readable after another one has replaced it. */
    public static final Duration DEFAULT_GRACE = Duration.ofHours(1);

    /** So many are worth a commit; fewer wait for {@link #LONGEST_WAIT}, unless objects are kept for them alone. */
    private static final int SNAPSHOTS_WORTH_A_COMMIT = 10;

    private static final Duration LONGEST_WAIT = Duration.ofHours(6);
    private static final int MANY_MANIFESTS = 50;
    private static final long SMALL_MANIFEST_BYTES = 1 << 20;

    private final Catalog catalog;
    private final Duration grace;

    /** Creates an expiry for the tables of this catalog. */
    public SnapshotExpiry(Catalog catalog) {
        this(catalog, DEFAULT_GRACE);
    }

    /** @param grace how long a snapshot stays readable after another one has replaced it */
    public SnapshotExpiry(Catalog catalog, Duration grace) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.grace = requireNonNull(grace, "grace is null");
    }

    /**
     * Result of the maintenance of metadata. Immutable.
     *
     * @param snapshotsExpired number of removed snapshots
     * @param manifestsMerged number of manifests that others replaced
     */
    public record Done(int snapshotsExpired, int manifestsMerged) {
        static final Done NOTHING = new Done(0, 0);
    }

    /** Whether it pays to expire snapshots now; sends no request. */
    boolean hasOldSnapshots(TableMetadata table, Instant now) {
        return nextOldSnapshotMillis(table) <= now.toEpochMilli();
    }

    /** Time when it will pay to expire snapshots without further commits, in epoch milliseconds. */
    long nextOldSnapshotMillis(TableMetadata table) {
        List<Snapshot> snapshots = inOrder(table);
        long next = Long.MAX_VALUE;
        // A snapshot's grace starts when another replaces it: queries that began before that may go on
        for (int i = 1; i < snapshots.size(); i++) {
            long old = snapshots.get(i).timestampMillis() + grace.toMillis() + 1;
            if (i == SNAPSHOTS_WORTH_A_COMMIT || removesFiles(snapshots.get(i))) {
                return Math.min(next, old);
            }
            if (i == 1) {
                next = old + LONGEST_WAIT.toMillis();
            }
        }
        return next;
    }

    /** Whether objects are kept only for snapshots before this one. */
    private static boolean removesFiles(Snapshot snapshot) {
        return Stream.of(SnapshotSummary.DELETED_FILES_PROP, SnapshotSummary.REPLACED_MANIFESTS_COUNT)
                .anyMatch(count -> !snapshot.summary().getOrDefault(count, "0").equals("0"));
    }

    private static List<Snapshot> inOrder(TableMetadata table) {
        return table.snapshots().stream()
                .sorted(Comparator.comparingLong(Snapshot::timestampMillis))
                .toList();
    }

    /** Snapshots before this time were replaced longer ago than the grace period. */
    private long firstKeptMillis(TableMetadata table, Instant now) {
        long graceBegins = now.minus(grace).toEpochMilli();
        return inOrder(table).stream()
                .mapToLong(Snapshot::timestampMillis)
                .filter(millis -> millis < graceBegins)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** Whether there are enough small manifests for a merge. */
    static boolean hasManyManifests(List<ManifestFile> dataManifests) {
        return dataManifests.stream().filter(SnapshotExpiry::isSmall).count() > MANY_MANIFESTS;
    }

    private static boolean isSmall(ManifestFile manifest) {
        return manifest.length() < SMALL_MANIFEST_BYTES;
    }

    /**
     * Merges manifests and expires snapshots, if there are enough. If another commit conflicts, the next run does the
     * rest. Does nothing if the table does not exist.
     */
    public Done apply(String tenantId, String stream, Instant now) {
        TableIdentifier identifier = TenantNames.table(tenantId, stream);
        try {
            BaseTable table = (BaseTable) catalog.loadTable(identifier);
            int merged = mergeManifests(table);
            int expired = hasOldSnapshots(table.operations().current(), now)
                    ? expire(table, firstKeptMillis(table.operations().current(), now))
                    : 0;
            return new Done(expired, merged);
        } catch (NoSuchTableException e) {
            return Done.NOTHING;
        } catch (CommitStateUnknownException e) {
            LOG.info("The next run maintains {}: {}", identifier, e.toString());
            return Done.NOTHING;
        }
    }

    private int mergeManifests(BaseTable table) {
        TableMetadata base = table.operations().current();
        FileIO io = table.io();
        if (base.currentSnapshot() == null
                || !hasManyManifests(base.currentSnapshot().dataManifests(io))) {
            return 0;
        }
        int before = base.currentSnapshot().dataManifests(io).size();
        rewriteManifests(table, SnapshotExpiry::isSmall);
        return before - table.currentSnapshot().dataManifests(io).size();
    }

    /**
     * Moves the live entries of some manifests to new ones, in one attempt.
     *
     * @throws CommitStateUnknownException if the outcome is not certain
     */
    static void rewriteManifests(BaseTable table, Predicate<ManifestFile> which) {
        PinnedTableOperations operations = new PinnedTableOperations(table.operations());
        Transaction transaction = Transactions.newTransaction(table.name(), operations);
        transaction.rewriteManifests().clusterBy(file -> "").rewriteIf(which).commit();
        transaction.commitTransaction();
        table.refresh();
    }

    /** Makes one attempt: Iceberg's own retry after a conflict fails if the commit had succeeded. */
    private static int expire(BaseTable table, long firstKeptMillis) {
        PinnedTableOperations operations = new PinnedTableOperations(table.operations());
        List<Snapshot> snapshots = inOrder(operations.current());
        Set<Long> named = operations.current().refs().values().stream()
                .map(SnapshotRef::snapshotId)
                .collect(Collectors.toSet());
        ExpireSnapshots expiry = new BaseTable(operations, table.name())
                .expireSnapshots()
                .retainLast(1)
                .cleanupLevel(ExpireSnapshots.CleanupLevel.ALL);
        if (snapshots.stream().anyMatch(SnapshotExpiry::removesFiles)) {
            // By age, Iceberg would delete files that a snapshot removed no sooner than that snapshot itself expires,
            // so
            // never in a table without further commits. By id, it checks the references of the other snapshots.
            // This machine's clock must not expire snapshots that are not named.
            expiry.expireOlderThan(0);
            snapshots.stream()
                    .filter(snapshot -> snapshot.timestampMillis() < firstKeptMillis)
                    .filter(snapshot -> !named.contains(snapshot.snapshotId()))
                    .forEach(snapshot -> expiry.expireSnapshotId(snapshot.snapshotId()));
        } else {
            expiry.expireOlderThan(firstKeptMillis);
        }
        expiry.commit();
        return snapshots.size() - operations.current().snapshots().size();
    }
}
