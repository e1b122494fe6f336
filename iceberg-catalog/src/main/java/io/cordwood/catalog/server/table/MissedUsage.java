package io.cordwood.catalog.server.table;

import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.MeteredTable;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.StoredPointer;
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
 * Finds commits whose usage was not added up: reads the metadata of tables if it is newer than the last addition.
 * Thread-safe.
 *
 * <p>It reads in the background, and each file once. A table whose metadata cannot be read delays no caller for longer
 * than its timeout, and is tried again only after a while.
 */
final class MissedUsage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MissedUsage.class);
    /** Tables read at the same time. */
    private static final int THREADS = 4;

    private static final Duration RETRY = Duration.ofMinutes(5);

    private final FileIO io;
    private final Database database;
    private final Consumer<MeteredTable> found;
    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("missed-usage-", 0).daemon().factory());
    /** Reads under way: one per table, regardless of the number of commits while the store does not respond. */
    private final Map<TableIdentifier, Read> reads = new ConcurrentHashMap<>();
    /** Tick of the last attempt, by location. */
    private final Map<String, Long> unreadable = new ConcurrentHashMap<>();

    /**
     * Metadata that is being read.
     *
     * @param read completes with whether the metadata could be read
     */
    private record Read(String location, CompletableFuture<Boolean> read) {}

    /** @param found receives the tables, on a thread of this class */
    MissedUsage(FileIO io, Database database, Consumer<MeteredTable> found) {
        this.io = io;
        this.database = database;
        this.found = found;
    }

    /**
     * Reads all tables with commits since the last addition. Returns when all were read, or at the timeout.
     *
     * @return tables that could not be read
     */
    List<TableIdentifier> read(Duration timeout) {
        List<StoredPointer> moved = database.read(PointerStore::moved);
        unreadable
                .keySet()
                .retainAll(moved.stream().map(StoredPointer::metadataLocation).collect(Collectors.toSet()));
        Map<StoredPointer, Read> begun = begin(moved);
        if (!timeout.isZero()) {
            long end = System.nanoTime() + timeout.toNanos();
            await(begun, end);
            // For these, an older metadata file was being read
            begun.putAll(begin(begun.entrySet().stream()
                    .filter(read -> !read.getKey()
                            .metadataLocation()
                            .equals(read.getValue().location()))
                    .map(Map.Entry::getKey)
                    .toList()));
            await(begun, end);
            long late = begun.values().stream()
                    .filter(read -> !read.read().isDone())
                    .count();
            if (late > 0) {
                LOG.warn("Usage may lack some of {} tables, which are still being read", late);
            }
        }
        return moved.stream()
                .filter(table -> !begun.containsKey(table) || !isRead(table, begun.get(table)))
                .map(StoredPointer::identifier)
                .toList();
    }

    /** Starts reading tables, except those that failed recently. */
    private Map<StoredPointer, Read> begin(List<StoredPointer> tables) {
        Map<StoredPointer, Read> begun = new HashMap<>();
        for (StoredPointer table : tables) {
            Long failed = unreadable.get(table.metadataLocation());
            if (failed == null || System.nanoTime() - failed >= RETRY.toNanos()) {
                begun.put(
                        table,
                        reads.computeIfAbsent(
                                table.identifier(),
                                any -> new Read(
                                        table.metadataLocation(),
                                        CompletableFuture.supplyAsync(() -> read(table), threads))));
            }
        }
        return begun;
    }

    private static boolean isRead(StoredPointer table, Read read) {
        return read.location().equals(table.metadataLocation()) && read.read().getNow(false);
    }

    private boolean read(StoredPointer table) {
        try {
            TableMetadata metadata = TableMetadataParser.read(io, table.metadataLocation());
            found.accept(MeteredTable.of(table.identifier(), metadata));
            unreadable.remove(table.metadataLocation());
            return true;
        } catch (RuntimeException | Error e) {
            // A table that cannot be read must not hide the usage of all others
            unreadable.put(table.metadataLocation(), System.nanoTime());
            LOG.warn("The usage of table {} is not added up until it can be read", table.identifier(), e);
            return false;
        } finally {
            reads.remove(table.identifier());
        }
    }

    private static void await(Map<StoredPointer, Read> reads, long end) {
        try {
            CompletableFuture.allOf(reads.values().stream().map(Read::read).toArray(CompletableFuture<?>[]::new))
                    .get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The caller learns which tables are missing
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Reading a table failed", e);
        }
    }

    /** Number of metadata files that could not be read at the last attempt. */
    int unreadable() {
        return unreadable.size();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
