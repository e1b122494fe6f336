package io.cordwood.catalog.server.table;

import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.PointerStore;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.iceberg.BaseMetastoreTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableMetadataParser.Codec;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;

/**
 * Operations of a table whose pointer is in the tables of Iceberg's JDBC catalog, over the service's own connections.
 * Reads the pointer each time, and {@linkplain MetadataFiles the file} that it names only if it is not kept. Not
 * thread-safe.
 */
final class PointerTableOperations extends BaseMetastoreTableOperations {
    /** As many as Iceberg's own operations of tables, for object stores that fail now and then. */
    private static final int RETRIES = 20;

    private final TableIdentifier table;
    private final Database database;
    private final MetadataFiles files;
    private final Predicate<Namespace> namespaceExists;
    /** The metadata in the file that the last commit wrote; null if it wrote none. */
    private TableMetadata written;

    PointerTableOperations(
            TableIdentifier table, Database database, MetadataFiles files, Predicate<Namespace> namespaceExists) {
        this.table = table;
        this.database = database;
        this.files = files;
        this.namespaceExists = namespaceExists;
    }

    @Override
    protected void doRefresh() {
        Optional<String> location = database.read(connection -> PointerStore.metadataLocation(connection, table));
        if (location.isPresent()) {
            refreshFromMetadataLocation(location.get(), null, RETRIES, files::read);
        } else if (currentMetadataLocation() == null) {
            disableRefresh();
        } else {
            throw new NoSuchTableException("Table does not exist any more: %s", table);
        }
    }

    @Override
    protected void doCommit(TableMetadata base, TableMetadata metadata) {
        written = null;
        if (base == null) {
            create(metadata);
        } else {
            String location = writeNewMetadataIfRequired(false, metadata);
            boolean moved = database.write(
                    connection -> PointerStore.move(connection, table, base.metadataFileLocation(), location));
            if (!moved) {
                throw lost(
                        location,
                        new CommitFailedException("Table %s was changed by another commit or dropped", table));
            }
            files.forget(base.metadataFileLocation());
        }
    }

    /** After a commit, takes what it wrote for the current metadata, without reading it. */
    @Override
    protected void requestRefresh() {
        if (written == null) {
            super.requestRefresh();
        } else {
            refreshFromMetadataLocation(written.metadataFileLocation(), null, 0, any -> written);
        }
    }

    @Override
    protected String writeNewMetadata(TableMetadata metadata, int version) {
        Codec codec = Codec.fromName(
                metadata.property(TableProperties.METADATA_COMPRESSION, TableProperties.METADATA_COMPRESSION_DEFAULT));
        String name = String.format(
                Locale.ROOT, "%05d-%s%s", version, UUID.randomUUID(), TableMetadataParser.getFileExtension(codec));
        written = files.write(metadataFileLocation(metadata, name), metadata);
        return written.metadataFileLocation();
    }

    /** Deletes the file of a lost race, which a restored catalog could take for the table's newest. */
    private <E extends RuntimeException> E lost(String location, E failure) {
        files.forget(location);
        try {
            // A catalog that was restored meanwhile may have taken it
            if (!database.read(connection -> PointerStore.metadataLocation(connection, table))
                    .equals(Optional.of(location))) {
                io().deleteFile(location);
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private void create(TableMetadata metadata) {
        if (!namespaceExists.test(table.namespace())) {
            throw new NoSuchNamespaceException("Namespace does not exist: %s", table.namespace());
        }
        String location = writeNewMetadataIfRequired(true, metadata);
        if (!database.write(connection -> PointerStore.create(connection, table, location))) {
            AlreadyExistsException failure = new AlreadyExistsException("Table already exists: %s", table);
            // Else the file was there before, and is that of another table
            throw metadata.metadataFileLocation() == null ? lost(location, failure) : failure;
        }
    }

    @Override
    protected String tableName() {
        return table.toString();
    }

    @Override
    public FileIO io() {
        return files.io();
    }
}
