package io.cordwood.catalog.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
    private final Clock clock;
    private final Consumer<MeteredTable> found;
    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("missed-usage-", 0).daemon().factory());
    /** What is being read, by location. */
    private final Map<String, CompletableFuture<Void>> looks = new ConcurrentHashMap<>();
    /** When to try again, by location. */
    private final Map<String, Instant> unreadable = new ConcurrentHashMap<>();

    /** @param found is given what is found, on a thread of this */
    MissedUsage(FileIO io, Database database, Clock clock, Consumer<MeteredTable> found) {
        this.io = io;
        this.database = database;
        this.clock = clock;
        this.found = found;
    }

    /** Looks at all tables that have moved since they were added, and returns when all were read, or patience is at its end. */
    void look(Duration patience) {
        List<MovedTable> moved = database.read(PointerStore::moved);
        unreadable
                .keySet()
                .retainAll(moved.stream().map(MovedTable::metadataLocation).collect(Collectors.toSet()));
        List<CompletableFuture<Void>> begun = new ArrayList<>();
        for (MovedTable table : moved) {
            Instant retry = unreadable.getOrDefault(table.metadataLocation(), Instant.MIN);
            if (!clock.instant().isBefore(retry)) {
                begun.add(looks.computeIfAbsent(
                        table.metadataLocation(), any -> CompletableFuture.runAsync(() -> read(table), threads)));
            }
        }
        if (!patience.isZero()) {
            await(begun, patience);
        }
    }

    private void read(MovedTable table) {
        try {
            TableMetadata metadata = TableMetadataParser.read(io, table.metadataLocation());
            found.accept(MeteredTable.of(table.identifier().name(), metadata));
            unreadable.remove(table.metadataLocation());
        } catch (RuntimeException e) {
            // One table that cannot be read must not hide the usage of all others
            unreadable.put(table.metadataLocation(), clock.instant().plus(RETRY));
            LOG.warn("The usage of table {} is not added up until it can be read", table.identifier(), e);
        } finally {
            looks.remove(table.metadataLocation());
        }
    }

    private static void await(List<CompletableFuture<Void>> looks, Duration patience) {
        try {
            CompletableFuture.allOf(looks.toArray(CompletableFuture<?>[]::new))
                    .get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn(
                    "Usage is answered without what {} tables may have brought: they are still being read",
                    looks.stream().filter(look -> !look.isDone()).count());
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
