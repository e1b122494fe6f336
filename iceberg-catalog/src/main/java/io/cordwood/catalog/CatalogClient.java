package io.cordwood.catalog;

import java.io.Closeable;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.io.FileIO;

/** A connection to the catalog service. Thread-safe. */
public final class CatalogClient implements Closeable, ArchivedThrough {
    private CatalogClient() {}

    /**
     * Connects to the service at this URI.
     *
     * @param properties properties of Iceberg's REST catalog, for instance {@code token} or {@code io-impl}; may be
     *     empty
     * @throws CatalogException if it cannot be reached
     */
    public static CatalogClient connect(URI uri, Map<String, String> properties) {
        throw new UnsupportedOperationException("Not there yet: " + uri + properties);
    }

    /** Iceberg's view of the service. */
    public Catalog catalog() {
        throw new UnsupportedOperationException("Not there yet");
    }

    /** Reads and writes objects of the warehouse. */
    public FileIO io() {
        throw new UnsupportedOperationException("Not there yet");
    }

    /** Commits to the tables of this service. */
    public LogBlockCommitter committer(Trimmer trimmer) {
        return new LogBlockCommitter(catalog(), this, trimmer);
    }

    /**
     * Makes sure that the tenant is registered, its table exists and has these columns. A column that the table has
     * already stays as it is, with whatever type: compare the schema that comes back with what was asked for.
     *
     * @throws CatalogException if the service refuses
     */
    public LoadedTable ensureTable(String tenantId, String stream, List<ColumnDefinition> columns) {
        throw new UnsupportedOperationException("Not there yet: " + tenantId + stream + columns);
    }

    /** The table as it is now; empty if there is none. */
    public Optional<LoadedTable> table(String tenantId, String stream) {
        throw new UnsupportedOperationException("Not there yet: " + tenantId + stream);
    }

    /** The table that a pointer points to, read from its metadata file. */
    public LoadedTable table(String stream, Pointers.TablePointer pointer) {
        throw new UnsupportedOperationException("Not there yet: " + stream + pointer);
    }

    /** Where all tables of the stream stand. */
    public Pointers pointers(String stream) {
        throw new UnsupportedOperationException("Not there yet: " + stream);
    }

    /** Where the tables of these tenants stand. */
    public Pointers pointers(String stream, Collection<String> tenantIds) {
        throw new UnsupportedOperationException("Not there yet: " + stream + tenantIds);
    }

    /** W of every partition of the stream. */
    public Map<PartitionId, Long> archivedThrough(String stream) {
        throw new UnsupportedOperationException("Not there yet: " + stream);
    }

    /**
     * Raises W of these partitions; never lowers it. All in one transaction.
     *
     * @return W of every partition of the stream afterwards
     */
    public Map<PartitionId, Long> advanceArchivedThrough(String stream, Map<PartitionId, Long> offsets) {
        throw new UnsupportedOperationException("Not there yet: " + stream + offsets);
    }

    @Override
    public TableOffsets read(String tenantId, String stream) {
        throw new UnsupportedOperationException("Not there yet: " + tenantId + stream);
    }

    /** All tenants, ordered by id. */
    public List<Tenant> tenants() {
        throw new UnsupportedOperationException("Not there yet");
    }

    /** This tenant, if it is registered. */
    public Optional<Tenant> tenant(String tenantId) {
        throw new UnsupportedOperationException("Not there yet: " + tenantId);
    }

    /** Registers the tenant, or replaces what the registry holds of it. */
    public void putTenant(Tenant tenant) {
        throw new UnsupportedOperationException("Not there yet: " + tenant);
    }

    /**
     * Deletes the tenant: stores the floors, then drops its tables.
     *
     * @param floors by stream: the end offsets of the partitions; rows below them are gone for good
     */
    public void deleteTenant(String tenantId, Map<String, TableOffsets> floors) {
        throw new UnsupportedOperationException("Not there yet: " + tenantId + floors);
    }

    /** Users and what is granted to them. */
    public AccessRules accessRules() {
        throw new UnsupportedOperationException("Not there yet");
    }

    /** Adds the user, or replaces its role and grants; its tokens stay. */
    public void putUser(User user) {
        throw new UnsupportedOperationException("Not there yet: " + user);
    }

    /** Removes the user with its grants and tokens. */
    public void deleteUser(String userName) {
        throw new UnsupportedOperationException("Not there yet: " + userName);
    }

    /** Makes a new bearer token for the user. The service keeps only its hash, so it is shown this once. */
    public String createToken(String userName) {
        throw new UnsupportedOperationException("Not there yet: " + userName);
    }

    @Override
    public void close() {}
}
