package io.cordwood.catalog.server.table;

import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.table.TableOffsets;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;
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
    private static final String DIRECTORY = "~cordwood/archived-through";
    private static final String SUFFIX = ".json";

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final FileIO io;
    private final String directory;
    private final Map<String, TableOffsets> waiting = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("archived-copies").daemon().factory());

    public ArchivedCopies(FileIO io, String warehouse) {
        this.io = io;
        this.directory = warehouse.replaceFirst("/+$", "") + "/" + DIRECTORY;
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
        String location = "%s/%s%s".formatted(directory, stream, SUFFIX);
        try (OutputStream out = io.newOutputFile(location).createOrOverwrite()) {
            out.write(Json.bytes(CatalogJson.toJson(offsets)));
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot copy archived-through of stream '{}' to {}", stream, location, e);
        }
    }

    /** The copies by stream. */
    public Map<String, TableOffsets> all() {
        Map<String, TableOffsets> copies = new TreeMap<>();
        for (FileInfo file : ((SupportsPrefixOperations) io).listPrefix(directory + "/")) {
            String name = file.location().substring(file.location().lastIndexOf('/') + 1);
            if (name.endsWith(SUFFIX)) {
                copies.put(name.substring(0, name.length() - SUFFIX.length()), read(file.location()));
            }
        }
        return copies;
    }

    /** Writes what waits, and stops. */
    @Override
    public void close() {
        thread.close();
        writeAll();
    }

    private TableOffsets read(String location) {
        try (InputStream in = io.newInputFile(location).newStream()) {
            return CatalogJson.offsets(Json.parse(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + location, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s is damaged: %s".formatted(location, e.getMessage()), e);
        }
    }
}
