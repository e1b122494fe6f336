package io.cordwood.catalog.server;

import io.cordwood.catalog.UsageJournal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up what the journals of tables say of usage. Thread-safe.
 *
 * <p>A journal changes in the commit that brings the rows; that commit and the sums here are two transactions. What lies
 * between them, a kill above all, costs nothing: {@link UsageStore#add} adds each commit once, and what was missed is
 * found again, by a reader as a table whose metadata is not the one that was added last, by the next commit to the table as a number
 * that is missing.
 *
 * <p>Commits are added some at a time, beside the requests, so that a commit does not pay for a second transaction.
 */
final class UsageRollUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UsageRollUp.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration PRUNING_INTERVAL = Duration.ofHours(1);
    /** Tables of one transaction, so that others who write wait only briefly. */
    private static final int BATCH = 200;

    /** For how long hours are kept: a year, and the month in which its last bill is disputed. */
    static final Duration KEPT = Duration.ofDays(400);

    private final JdbcCatalog catalog;
    private final Database database;
    private final Clock clock;
    private final ConcurrentLinkedQueue<MeteredTable> committed = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("usage-roll-up").daemon().factory());
    private final List<ScheduledFuture<?>> tasks = new ArrayList<>();

    UsageRollUp(JdbcCatalog catalog, Database database, Clock clock) {
        this.catalog = catalog;
        this.database = database;
        this.clock = clock;
    }

    /** Begins to work in the background. */
    void start() {
        repeat(INTERVAL, this::addCommitted);
        repeat(PRUNING_INTERVAL, this::forgetOldHours);
    }

    private void repeat(Duration interval, Runnable work) {
        tasks.add(thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        LOG.warn("Cannot add up usage; it is made up for later", e);
                    }
                },
                interval.toMillis(),
                interval.toMillis(),
                TimeUnit.MILLISECONDS));
    }

    /**
     * Makes sure that a journal about to be committed drops nothing that is not added up.
     *
     * @param tableUuid the table, as the commit asserts it
     */
    void beforeCommit(TableIdentifier table, String tableUuid, UsageJournal next) {
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

    /** Takes note of a commit. */
    void committed(TableIdentifier table, TableMetadata metadata) {
        committed.add(MeteredTable.of(table.name(), metadata));
    }

    /** Adds all that there is of a table. */
    void settle(TableIdentifier table) {
        load(table).ifPresent(metered -> add(List.of(metered)));
    }

    /** Adds all that there is of all tables: usage read afterwards holds every commit that was answered before. */
    void settleAll() {
        addCommitted();
        List<MeteredTable> missed = new ArrayList<>();
        for (TableIdentifier table : database.read(PointerStore::moved)) {
            loadIfReadable(table).ifPresent(missed::add);
            if (missed.size() == BATCH) {
                add(missed);
                missed.clear();
            }
        }
        add(missed);
    }

    /** One table that cannot be read must not hide the usage of all others. */
    private Optional<MeteredTable> loadIfReadable(TableIdentifier table) {
        try {
            return load(table);
        } catch (RuntimeException e) {
            LOG.warn("The usage of table {} is not added up until it can be read", table, e);
            return Optional.empty();
        }
    }

    private Optional<MeteredTable> load(TableIdentifier table) {
        try {
            TableMetadata metadata =
                    ((BaseTable) catalog.loadTable(table)).operations().current();
            return Optional.of(MeteredTable.of(table.name(), metadata));
        } catch (NoSuchTableException e) {
            return Optional.empty();
        } catch (NotFoundException e) {
            LOG.warn("The usage of table {} cannot be added up: {}", table, e.getMessage());
            return Optional.empty();
        }
    }

    /** One at a time: who waits for it finds all that was committed before added. */
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
        // Everybody locks in the same order, several commits of a table in theirs
        List<MeteredTable> ordered = new ArrayList<>(tables);
        ordered.sort(Comparator.comparing(MeteredTable::uuid)
                .thenComparing(table -> table.journal().lastSequence()));
        database.write(connection -> {
            for (MeteredTable table : ordered) {
                UsageStore.add(connection, table);
            }
            return null;
        });
    }

    /** Forgets hours that are kept no longer. */
    void forgetOldHours() {
        long hour = TimeUnit.MILLISECONDS.toHours(clock.millis() - KEPT.toMillis());
        database.write(connection -> {
            UsageStore.forgetBefore(connection, hour);
            return null;
        });
    }

    /** Adds what was committed, and stops. */
    @Override
    public void close() {
        tasks.forEach(task -> task.cancel(false));
        thread.shutdown();
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
