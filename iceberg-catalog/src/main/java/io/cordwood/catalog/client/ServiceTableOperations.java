package io.cordwood.catalog.client;

import io.cordwood.catalog.json.Json;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.rest.ResourcePaths;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.rest.responses.LoadTableResponseParser;

/**
 * Operations of a table of the catalog service. They commit as Iceberg's REST client does, but load the resulting
 * metadata only when it is needed. Not thread-safe.
 */
final class ServiceTableOperations implements TableOperations {
    private static final ResourcePaths PATHS = ResourcePaths.forCatalogProperties(Map.of());

    private final CatalogHttp http;
    private final FileIO io;
    private final TableIdentifier identifier;
    private TableMetadata metadata;
    /** Whether a commit has replaced {@link #metadata}. */
    private boolean stale;

    /** @param metadata current metadata of the table */
    ServiceTableOperations(CatalogHttp http, FileIO io, TableIdentifier identifier, TableMetadata metadata) {
        this.http = http;
        this.io = io;
        this.identifier = identifier;
        this.metadata = metadata;
    }

    /** The current metadata; after a commit it is loaded, which may fail although the commit succeeded. */
    @Override
    public TableMetadata current() {
        return stale ? refresh() : metadata;
    }

    @Override
    public TableMetadata refresh() {
        metadata = LoadTableResponseParser.fromJson(Json.parse(http.iceberg(PATHS.table(identifier))))
                .tableMetadata();
        stale = false;
        return metadata;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata next) {
        List<MetadataUpdate> updates = next.changes();
        String request = UpdateTableRequestParser.toJson(
                UpdateTableRequest.create(identifier, UpdateRequirements.forUpdateTable(base, updates), updates));
        http.commit(PATHS.table(identifier), request);
        stale = true;
    }

    @Override
    public FileIO io() {
        return io;
    }

    @Override
    public String metadataFileLocation(String fileName) {
        String directory = current()
                .property(TableProperties.WRITE_METADATA_LOCATION, current().location() + "/metadata");
        return directory.replaceFirst("/+$", "") + "/" + fileName;
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(current().location(), current().properties());
    }
}
