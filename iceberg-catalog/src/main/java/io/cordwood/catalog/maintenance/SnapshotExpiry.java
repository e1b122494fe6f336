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
 * Keeps the metadata of a table small and removes the files that only old snapshots need. Thread-safe.
 *
 * <p>Snapshots that lost their place to another one longer ago than a grace are expired by Iceberg's own API, which
 * then deletes what no other snapshot refers to: manifest lists, manifests, and LogBlocks that were dropped or
 * rewritten. It cleans up only after a commit that is known to have succeeded; what the others leave behind are
 * orphans.
 *
 * <p>Small manifests are merged when many have gathered, in spite of {@linkplain TableMetadataLimits what each append
 * merges}.
 */
public final class SnapshotExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotExpiry.class);

    /** How long a snapshot can be read after another one has taken its place. */
    public static final Duration DEFAULT_GRACE = Duration.ofHours(1);

    /** So many are worth a commit; fewer wait for {@link #LONGEST_WAIT}, unless objects are kept for them alone. */
    private static final int SNAPSHOTS_WORTH_A_COMMIT = 10;

    private static final Duration LONGEST_WAIT = Duration.ofHours(6);
    private static final int MANY_MANIFESTS = 50;
    private static final long SMALL_MANIFEST_BYTES = 1 << 20;

    private final Catalog catalog;
    private final Duration grace;

    /** Maintains the tables of this catalog. */
    public SnapshotExpiry(Catalog catalog) {
        this(catalog, DEFAULT_GRACE);
    }

    /** @param grace how long a snapshot can be read after another one has taken its place */
    public SnapshotExpiry(Catalog catalog, Duration grace) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.grace = requireNonNull(grace, "grace is null");
    }

    /**
     * What was done. Immutable.
     *
     * @param snapshotsExpired snapshots that the table has no more
     * @param manifestsMerged manifests that others took the place of
     */
    public record Done(int snapshotsExpired, int manifestsMerged) {
        static final Done NOTHING = new Done(0, 0);
    }

    /** Whether it pays to expire snapshots now; asks nobody. */
    boolean hasOldSnapshots(TableMetadata table, Instant now) {
        return nextOldSnapshotMillis(table) <= now.toEpochMilli();
    }

    /** When it will pay to expire snapshots if nothing is committed meanwhile, in epoch milliseconds. */
    long nextOldSnapshotMillis(TableMetadata table) {
        List<Snapshot> snapshots = inOrder(table);
        long next = Long.MAX_VALUE;
        // One is of no use from the time on when another takes its place: queries that began before that may go on
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

    /** Whether objects are kept for those before it alone. */
    private static boolean removesFiles(Snapshot snapshot) {
        return Stream.of(SnapshotSummary.DELETED_FILES_PROP, SnapshotSummary.REPLACED_MANIFESTS_COUNT)
                .anyMatch(count -> !snapshot.summary().getOrDefault(count, "0").equals("0"));
    }

    private static List<Snapshot> inOrder(TableMetadata table) {
        return table.snapshots().stream()
                .sorted(Comparator.comparingLong(Snapshot::timestampMillis))
                .toList();
    }

    /** Those before it lost their place to others longer ago than the grace. */
    private long firstKeptMillis(TableMetadata table, Instant now) {
        long graceBegins = now.minus(grace).toEpochMilli();
        return inOrder(table).stream()
                .mapToLong(Snapshot::timestampMillis)
                .filter(millis -> millis < graceBegins)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** Whether so many small manifests have gathered that they are merged. */
    static boolean hasManyManifests(List<ManifestFile> dataManifests) {
        return dataManifests.stream().filter(SnapshotExpiry::isSmall).count() > MANY_MANIFESTS;
    }

    private static boolean isSmall(ManifestFile manifest) {
        return manifest.length() < SMALL_MANIFEST_BYTES;
    }

    /**
     * Merges manifests and expires snapshots, if enough have gathered. What another commit gets in the way of is left
     * for the next time. A table that does not exist needs nothing.
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
            LOG.info("{} is maintained the next time: {}", identifier, e.toString());
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
     * Writes the live entries of some manifests to new ones, in one attempt.
     *
     * @throws CommitStateUnknownException if it is not certain that it went through
     */
    static void rewriteManifests(BaseTable table, Predicate<ManifestFile> which) {
        PinnedTableOperations operations = new PinnedTableOperations(table.operations());
        Transaction transaction = Transactions.newTransaction(table.name(), operations);
        transaction.rewriteManifests().clusterBy(file -> "").rewriteIf(which).commit();
        transaction.commitTransaction();
        table.refresh();
    }

    /** Iceberg's own way after a conflict fails where the commit had gone through. So there is one attempt. */
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
            // By age, Iceberg would delete what a snapshot removed no sooner than that snapshot expires itself, which
            // in a
            // table that nothing is committed to is never. By id it looks what the others refer to.
            // Of what is not named nothing is to expire by this machine's clock.
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
