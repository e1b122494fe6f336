package io.cordwood.catalog.server.storage;

import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.Remembered;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;

/**
 * Finds where a table is now. Thread-safe.
 *
 * <p>Each request that is signed asks. So what the metadata files say is remembered: they never change.
 */
final class TableLocations {
    private static final int REMEMBERED = 4096;

    private final Database database;
    private final FileIO io;
    private final Remembered<String, String> locations = new Remembered<>(REMEMBERED);

    TableLocations(Database database, FileIO io) {
        this.database = database;
        this.io = io;
    }

    /**
     * A table's files.
     *
     * @param metadata location of the metadata file
     * @param location location of the table
     */
    record Located(String metadata, String location) {}

    /** Where the table is. @throws NoSuchTableException if there is none */
    Located find(TableIdentifier table) {
        String metadata = database.read(connection -> PointerStore.metadataLocation(connection, table))
                .orElseThrow(() -> new NoSuchTableException("Table does not exist: %s", table));
        String location = locations.get(metadata).orElseGet(() -> {
            String read = TableMetadataParser.read(io, metadata).location();
            locations.put(metadata, read);
            return read;
        });
        return new Located(metadata, location);
    }
}
