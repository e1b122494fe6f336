package io.cordwood.standalone.tail;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.hot.HotTable;
import io.cordwood.standalone.error.Errors;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The tenant's table as the catalog describes it. It is reloaded in the background, because columns are added while
 * rows arrive. A catalog that does not answer blocks no caller. Thread-safe.
 */
public final class TenantTable implements Closeable {
    private final CatalogClient catalog;
    private final String tenantId;
    private final String stream;
    private final Notes notes;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile HotTable table;

    private TenantTable(CatalogClient catalog, String tenantId, String stream, Notes notes) {
        this.catalog = catalog;
        this.tenantId = tenantId;
        this.stream = stream;
        this.notes = notes;
        this.table = load();
    }

    /**
     * Loads the table, and reloads it at this interval.
     *
     * @throws CatalogException if the catalog does not answer
     */
    public static TenantTable open(
            CatalogClient catalog, String tenantId, String stream, Duration interval, Notes notes) {
        TenantTable opened = new TenantTable(catalog, tenantId, stream, notes);
        Thread.ofPlatform().daemon().name("tail-schema").start(() -> opened.reloadAt(interval));
        return opened;
    }

    /** The schema for decoding rows. A tenant without a table has the columns that every table has. */
    HotTable current() {
        return table;
    }

    private void reloadAt(Duration interval) {
        try {
            while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                reload();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reload() {
        try {
            table = load();
            notes.over(Notes.Trouble.CATALOG);
        } catch (RuntimeException e) {
            // After any error, rows are decoded for the known columns
            notes.trouble(Notes.Trouble.CATALOG, Errors.text(e));
        }
    }

    private HotTable load() {
        // Rows that the table already has are shown too; rows of a deleted tenant are not
        TableOffsets floor =
                catalog.pointers(stream, List.of(tenantId)).floors().getOrDefault(tenantId, TableOffsets.NONE);
        Optional<LoadedTable> loaded = catalog.table(tenantId, stream);
        return loaded.map(found -> new HotTable(tenantId, found.metadataLocation(), found.schema(), floor))
                .orElseGet(() -> new HotTable(
                        tenantId, "", TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of()), floor));
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
