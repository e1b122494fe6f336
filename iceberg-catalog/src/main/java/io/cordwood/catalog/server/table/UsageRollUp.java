package io.cordwood.catalog.server.table;

import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.catalog.server.store.ColumnStore;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.MeteredTable;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.ScanStore;
import io.cordwood.catalog.server.store.UsageStore;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.UsageJournal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up the usage in the journals of tables, and records their columns on that occasion. Thread-safe.
 *
 * <p>A journal changes in the commit that adds the rows; that commit and the sums here are two transactions. An
 * interruption in between, such as a kill, loses nothing: {@link UsageStore#add} adds each commit once. Missed commits
 * are found again, {@linkplain MissedUsage by a table} whose metadata is newer than the last addition, or by a missing
 * number at the next commit to the table.
 *
 * <p>Commits are added in batches in the background, so that a commit does not pay for a second transaction.
 */
public final class UsageRollUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UsageRollUp.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration MISSED_INTERVAL = Duration.ofMinutes(1);
    private static final Duration PRUNING_INTERVAL = Duration.ofHours(1);
    /** How long a reader waits for tables that must be read first. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);
    /** Tables per transaction, so that other writers wait only briefly. */
    private static final int BATCH = 200;

    /** Retention of hours: a year, and the month in which its last bill is disputed. */
    static final Duration KEPT = Duration.ofDays(400);

    /** Longest time that an hour stays open for a node; a node that has not closed it by then was killed. */
    static final Duration LONGEST_OPEN = Duration.ofDays(2);

    private final FileIO io;
    private final Database database;
    private final ServiceMetrics metrics;
    private final InstantSource wall;
    private final InstantSource clock;
    private final MissedUsage missed;
    private final ConcurrentLinkedQueue<MeteredTable> committed = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("usage-roll-up").daemon().factory());
    private final List<ScheduledFuture<?>> tasks = new ArrayList<>();

    /**
     * @param wall clock that tells which hours have begun
     * @param clock clock that tells which hours are old enough to be closed or removed
     */
    public UsageRollUp(FileIO io, Database database, ServiceMetrics metrics, InstantSource wall, InstantSource clock) {
        this.io = io;
        this.database = database;
        this.metrics = metrics;
        this.wall = wall;
        this.clock = clock;
        this.missed = new MissedUsage(io, database, committed::add);
    }

    /** Starts the work in the background. */
    public void start() {
        repeat(INTERVAL, this::addCommitted);
        repeat(MISSED_INTERVAL, () -> missed.read(Duration.ZERO));
        repeat(PRUNING_INTERVAL, this::closeOldHours);
        repeat(PRUNING_INTERVAL, this::forgetOldHours);
        repeat(PRUNING_INTERVAL, this::forgetUnusedColumns);
    }

    private void repeat(Duration interval, Runnable work) {
        tasks.add(thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        LOG.warn("Cannot add up usage; the next run does", e);
                    }
                },
                interval.toMillis(),
                interval.toMillis(),
                TimeUnit.MILLISECONDS));
    }

    /**
     * Ensures that a journal about to be committed drops no commit that is not added up.
     *
     * @param tableUuid the table, as the commit asserts it
     */
    public void beforeCommit(TableIdentifier table, String tableUuid, UsageJournal next) {
        if (isMissed(tableUuid, next)) {
            addCommitted();
            if (isMissed(tableUuid, next)) {
                settle(table);
            }
        }
    }

    private boolean isMissed(String tableUuid, UsageJournal next) {
        return next.firstSequence() > 1
                && next.firstSequence()
                        > database.read(connection -> UsageStore.lastSequence(connection, tableUuid)) + 1;
    }

    /** Queues a commit. */
    public void committed(TableIdentifier table, TableMetadata metadata) {
        committed.add(MeteredTable.of(table, metadata));
    }

    /** Adds all commits of a table. */
    public void settle(TableIdentifier table) {
        Optional<String> location = database.read(connection -> PointerStore.metadataLocation(connection, table));
        if (location.isPresent()) {
            try {
                add(List.of(MeteredTable.of(table, TableMetadataParser.read(io, location.get()))));
            } catch (NotFoundException e) {
                LOG.warn("Cannot add up the usage of table {}: {}", table, e.getMessage());
            }
        }
    }

    /**
     * Adds all commits of all tables. Usage and columns that are read afterwards include every commit that was
     * acknowledged before, except for tables that cannot be read within seconds.
     *
     * @return these tables
     */
    public List<TableIdentifier> settleAll() {
        addCommitted();
        List<TableIdentifier> missing = missed.read(READ_TIMEOUT);
        addCommitted();
        return missing;
    }

    /** Metrics of missing usage, as Prometheus text. */
    public String toPrometheus() {
        StringBuilder text = new StringBuilder();
        String unreadable = "cordwood_catalog_usage_unreadable_tables";
        ServiceMetrics.header(
                text, unreadable, "gauge", "Tables without current usage because their metadata cannot be read");
        ServiceMetrics.sample(text, unreadable, "", missed.unreadable());
        return text.toString();
    }

    /** Runs once at a time: a caller that waits for it finds all earlier commits added. */
    private synchronized void addCommitted() {
        List<MeteredTable> tables = new ArrayList<>();
        for (MeteredTable next = committed.poll(); next != null; next = committed.poll()) {
            tables.add(next);
            if (tables.size() == BATCH) {
                add(tables);
                tables.clear();
            }
        }
        add(tables);
    }

    private void add(List<MeteredTable> tables) {
        if (tables.isEmpty()) {
            return;
        }
        // Every transaction locks in the same order, and adds several commits of a table in theirs
        List<MeteredTable> ordered = new ArrayList<>(tables);
        ordered.sort(Comparator.comparing(MeteredTable::uuid)
                .thenComparing(table -> table.journal().lastSequence()));
        Map<MeteredTable, Long> gaps = database.write(connection -> {
            ColumnStore.addSets(connection, ordered);
            Map<MeteredTable, Long> dropped = new LinkedHashMap<>();
            for (MeteredTable table : ordered) {
                long commits = UsageStore.add(connection, table);
                if (commits > 0) {
                    dropped.put(table, commits);
                }
            }
            return dropped;
        });
        gaps.forEach(this::gap);
    }

    private void gap(MeteredTable table, long commits) {
        metrics.usageLost(commits);
        LOG.warn(
                "Usage of {} commits to stream '{}' of tenant '{}' is lost: the journal of the table begins with commit {}."
                        + " Another writer commits to it past this service",
                commits,
                table.stream(),
                table.journal().tenantId(),
                table.journal().firstSequence());
    }

    /** Stores bytes that queries have read. Hours that have not begun stay open, regardless of the report. */
    public void scanned(Scans scans) {
        long next = TimeUnit.MILLISECONDS.toHours(wall.millis()) + 1;
        Scans clamped = new Scans(scans.incarnation(), Math.min(scans.firstOpenHour(), next), scans.totals());
        int late = database.write(connection -> ScanStore.put(connection, clamped));
        if (late > 0) {
            metrics.lateScans(late);
            LOG.warn("Node {} reports {} totals of closed hours; they do not count", scans.incarnation(), late);
        }
    }

    /** Closes hours for nodes that did not close them. */
    void closeOldHours() {
        long hour = TimeUnit.MILLISECONDS.toHours(clock.millis() - LONGEST_OPEN.toMillis());
        for (String incarnation : database.read(connection -> ScanStore.openBefore(connection, hour))) {
            database.write(connection -> {
                ScanStore.close(connection, incarnation, hour);
                return null;
            });
        }
    }

    /** Removes hours past their retention. */
    void forgetOldHours() {
        long hour = TimeUnit.MILLISECONDS.toHours(clock.millis() - KEPT.toMillis());
        database.write(connection -> {
            UsageStore.forgetBefore(connection, hour);
            return null;
        });
    }

    /** Removes the columns of dropped tables. */
    void forgetUnusedColumns() {
        database.write(connection -> {
            ColumnStore.forgetUnused(connection);
            return null;
        });
    }

    /** Adds the remaining commits, and stops. */
    @Override
    public void close() {
        tasks.forEach(task -> task.cancel(false));
        thread.shutdown();
        missed.close();
        try {
            if (!thread.awaitTermination(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
            addCommitted();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Cannot add up the usage of the last commits; the next start does", e);
        }
    }
}
