package io.cordwood.catalog.server.table;

import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.MeteredTable;
import io.cordwood.catalog.server.store.MovedTable;
import io.cordwood.catalog.server.store.PointerStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds commits whose usage was not added up: it reads the metadata of tables that is not the one that was added last.
 * Thread-safe.
 *
 * <p>It reads beside the requests, and once: a table whose metadata cannot be read keeps nobody waiting for more than
 * the patience he brought, nor again before a while has passed.
 */
final class MissedUsage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MissedUsage.class);
    /** Tables read at once. */
    private static final int THREADS = 4;

    private static final Duration RETRY = Duration.ofMinutes(5);

    private final FileIO io;
    private final Database database;
    private final Consumer<MeteredTable> found;
    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("missed-usage-", 0).daemon().factory());
    /**
     * What is being read: one look for each table, however often it is committed to while the store does not answer.
     */
    private final Map<TableIdentifier, Look> looks = new ConcurrentHashMap<>();
    /** Tick of the last attempt, by location. */
    private final Map<String, Long> unreadable = new ConcurrentHashMap<>();

    /**
     * Metadata that is being read.
     *
     * @param read done with whether it could be read
     */
    private record Look(String location, CompletableFuture<Boolean> read) {}

    /** @param found is given what is found, on a thread of this */
    MissedUsage(FileIO io, Database database, Consumer<MeteredTable> found) {
        this.io = io;
        this.database = database;
        this.found = found;
    }

    /**
     * Looks at all tables that have moved since they were added, and returns when all were read, or patience is at its
     * end.
     *
     * @return those that could not be read
     */
    List<TableIdentifier> look(Duration patience) {
        List<MovedTable> moved = database.read(PointerStore::moved);
        unreadable
                .keySet()
                .retainAll(moved.stream().map(MovedTable::metadataLocation).collect(Collectors.toSet()));
        Map<MovedTable, Look> begun = begin(moved);
        if (!patience.isZero()) {
            long end = System.nanoTime() + patience.toNanos();
            await(begun, end);
            // Of these an older place was being read
            begun.putAll(begin(begun.entrySet().stream()
                    .filter(look -> !look.getKey()
                            .metadataLocation()
                            .equals(look.getValue().location()))
                    .map(Map.Entry::getKey)
                    .toList()));
            await(begun, end);
            long late = begun.values().stream()
                    .filter(look -> !look.read().isDone())
                    .count();
            if (late > 0) {
                LOG.warn("Usage is answered without what {} tables may have brought: they are still being read", late);
            }
        }
        return moved.stream()
                .filter(table -> !begun.containsKey(table) || !isRead(table, begun.get(table)))
                .map(MovedTable::identifier)
                .toList();
    }

    /** Begins to read tables, but those whose time to be tried again has not come. */
    private Map<MovedTable, Look> begin(List<MovedTable> tables) {
        Map<MovedTable, Look> begun = new HashMap<>();
        for (MovedTable table : tables) {
            Long failed = unreadable.get(table.metadataLocation());
            if (failed == null || System.nanoTime() - failed >= RETRY.toNanos()) {
                begun.put(
                        table,
                        looks.computeIfAbsent(
                                table.identifier(),
                                any -> new Look(
                                        table.metadataLocation(),
                                        CompletableFuture.supplyAsync(() -> read(table), threads))));
            }
        }
        return begun;
    }

    private static boolean isRead(MovedTable table, Look look) {
        return look.location().equals(table.metadataLocation()) && look.read().getNow(false);
    }

    private boolean read(MovedTable table) {
        try {
            TableMetadata metadata = TableMetadataParser.read(io, table.metadataLocation());
            found.accept(MeteredTable.of(table.identifier(), metadata));
            unreadable.remove(table.metadataLocation());
            return true;
        } catch (RuntimeException | Error e) {
            // One table that cannot be read must not hide the usage of all others
            unreadable.put(table.metadataLocation(), System.nanoTime());
            LOG.warn("The usage of table {} is not added up until it can be read", table.identifier(), e);
            return false;
        } finally {
            looks.remove(table.identifier());
        }
    }

    private static void await(Map<MovedTable, Look> looks, long end) {
        try {
            CompletableFuture.allOf(looks.values().stream().map(Look::read).toArray(CompletableFuture<?>[]::new))
                    .get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // Who asked is told which are missing
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A look at a table failed", e);
        }
    }

    /** Metadata files that could not be read when they were tried last. */
    int unreadable() {
        return unreadable.size();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
