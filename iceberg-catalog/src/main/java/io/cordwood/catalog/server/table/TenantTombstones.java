package io.cordwood.catalog.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.tenant.TenantNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Objects in the warehouse that tell which tenants were deleted, and below which offsets. The database says so too, but
 * a database restored from an older backup does not, and the tenants would come back from Kafka. Thread-safe.
 *
 * <p>They lie in {@value #DIRECTORY} of the warehouse, which is the schema name of no tenant.
 */
public final class TenantTombstones {
    private static final String DIRECTORY = "~cordwood/deleted-tenants";
    private static final String SUFFIX = ".json";

    private final FileIO io;
    private final String directory;

    /**
     * What is left of a tenant.
     *
     * @param deletion its deletion, with the locations of its tables
     * @param floors by stream, offsets below which its rows are deleted
     */
    public record Tombstone(TenantDeletion deletion, Map<String, TableOffsets> floors) {}

    public TenantTombstones(FileIO io, String warehouse) {
        this.io = io;
        this.directory = warehouse.replaceFirst("/+$", "") + "/" + DIRECTORY;
    }

    /** Writes a tombstone; one of the same deletion is replaced. */
    public void put(Tombstone tombstone) {
        TenantDeletion deletion = tombstone.deletion();
        String location = "%s/%s-%d%s"
                .formatted(directory, TenantNames.schemaName(deletion.tenantId()), deletion.startedMillis(), SUFFIX);
        ObjectNode json = CatalogJson.toJson(deletion);
        json.set("floors", CatalogJson.offsetsByNameToJson(tombstone.floors()));
        try (OutputStream out = io.newOutputFile(location).createOrOverwrite()) {
            out.write(Json.bytes(json));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + location, e);
        }
    }

    /** All tombstones in the order of the deletions. */
    public List<Tombstone> all() {
        List<Tombstone> tombstones = new ArrayList<>();
        for (FileInfo file : ((SupportsPrefixOperations) io).listPrefix(directory + "/")) {
            if (file.location().endsWith(SUFFIX)) {
                tombstones.add(read(file.location()));
            }
        }
        tombstones.sort(Comparator.comparing(tombstone -> tombstone.deletion().startedMillis()));
        return tombstones;
    }

    private Tombstone read(String location) {
        try (InputStream in = io.newInputFile(location).newStream()) {
            JsonNode json = Json.parse(in.readAllBytes());
            return new Tombstone(CatalogJson.deletion(json), CatalogJson.offsetsByName(json.path("floors")));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + location, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s is damaged: %s".formatted(location, e.getMessage()), e);
        }
    }
}
