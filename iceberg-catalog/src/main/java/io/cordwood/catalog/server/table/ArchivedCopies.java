package io.cordwood.catalog.server.table;

import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.table.TableOffsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the archived-through offsets in the warehouse, one object for each stream. A database that is restored from
 * an older backup takes them over. Else the ingest job would read again what Kafka may no longer have. Thread-safe.
 *
 * <p>A copy is written after the database was, so it is never ahead of it. It may be behind it.
 */
public final class ArchivedCopies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ArchivedCopies.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final RecoveryObjects objects;
    private final Map<String, TableOffsets> waiting = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("archived-copies").daemon().factory());

    public ArchivedCopies(FileIO io, String warehouse) {
        objects = objects(io, warehouse);
    }

    /** Begins to write copies in the background. */
    public void start() {
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                this::writeAll, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Copies the offsets of a stream soon, as the database has them. */
    public void put(String stream, TableOffsets offsets) {
        waiting.merge(stream, offsets, TableOffsets::max);
    }

    private void writeAll() {
        for (String stream : List.copyOf(waiting.keySet())) {
            write(stream, waiting.remove(stream));
        }
    }

    /** A failure is logged: the next copy makes up for it. */
    private void write(String stream, TableOffsets offsets) {
        try {
            objects.put(stream, CatalogJson.toJson(offsets));
        } catch (RuntimeException e) {
            LOG.warn("Cannot copy archived-through of stream '{}'", stream, e);
        }
    }

    /** Writes what waits, and stops. */
    @Override
    public void close() {
        thread.close();
        writeAll();
    }

    /** The copies in a warehouse by stream. */
    public static Map<String, TableOffsets> read(FileIO io, String warehouse) {
        return objects(io, warehouse).all(CatalogJson::offsets);
    }

    private static RecoveryObjects objects(FileIO io, String warehouse) {
        return new RecoveryObjects(io, warehouse, "archived-through");
    }
}
