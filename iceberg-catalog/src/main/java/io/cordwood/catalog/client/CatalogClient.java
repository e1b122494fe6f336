package io.cordwood.catalog.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.commit.ArchivedThrough;
import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.commit.FlushRewriter;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.delete.DeleteCommitter;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.delete.DeletionParser;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.protocol.ClockReadings;
import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.ColumnUnion;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.StreamColumnParser;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantDeletion;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.tenant.User;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageParser;
import io.cordwood.catalog.usage.UsageParser.UsagePage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * A connection to the catalog service: Iceberg's REST catalog for tables, and the service's own endpoints. Thread-safe.
 *
 * <p>Every method throws {@link CatalogException} if the service cannot be reached or refuses. None repeats a request.
 */
public final class CatalogClient implements Closeable, ArchivedThrough {
    /** Property with the bearer token. */
    public static final String TOKEN = "token";

    private final CatalogHttp http;
    private final RESTCatalog catalog;
    private final FileIO io;

    private CatalogClient(CatalogHttp http, RESTCatalog catalog, FileIO io) {
        this.http = http;
        this.catalog = catalog;
        this.io = io;
    }

    /**
     * Connects to the service at this URI.
     *
     * @param properties properties of Iceberg's REST catalog, for instance {@value #TOKEN} or {@code io-impl}; without
     *     the latter objects are those of a {@link WarehouseFileIO}, whose {@link S3Settings} the service gives where
     *     they are not among these
     * @throws CatalogException if it cannot be reached
     */
    public static CatalogClient connect(URI uri, Map<String, String> properties) {
        requireNonNull(uri, "uri is null");
        Map<String, String> all = new HashMap<>();
        all.put(CatalogProperties.FILE_IO_IMPL, WarehouseFileIO.class.getName());
        // What a scan or commit cost is measured where it runs; the service has no use for a copy.
        all.put("rest-metrics-reporting-enabled", "false");
        all.putAll(properties);
        all.put(CatalogProperties.URI, uri.toString());
        RESTCatalog catalog = new RESTCatalog();
        try {
            catalog.initialize("cordwood", all);
        } catch (RuntimeException e) {
            throw new CatalogException("Cannot connect to the catalog at %s: %s".formatted(uri, e.getMessage()), e);
        }
        // With what the service's configuration has added.
        Map<String, String> merged = catalog.properties();
        FileIO io = CatalogUtil.loadFileIO(all.get(CatalogProperties.FILE_IO_IMPL), merged, null);
        return new CatalogClient(new CatalogHttp(uri, Optional.ofNullable(all.get(TOKEN))), catalog, io);
    }

    /** Iceberg's view of the service. */
    public Catalog catalog() {
        return catalog;
    }

    /** How to reach the store of the warehouse, if it is one. */
    public S3Settings s3Settings() {
        return S3Settings.of(catalog.properties());
    }

    /** Reads and writes objects of the warehouse. */
    public FileIO io() {
        return io;
    }

    /** Commits to the tables of this service. */
    public LogBlockCommitter committer(FlushRewriter trimmer) {
        return committer(trimmer, Clock.systemUTC());
    }

    /**
     * Commits to the tables of this service.
     *
     * @param clock tells how old snapshots are
     */
    public LogBlockCommitter committer(FlushRewriter trimmer, Clock clock) {
        return new LogBlockCommitter(new ServiceTables(http, io), trimmer, BackOff::ofCommits, clock);
    }

    /**
     * Makes sure that the tenant is registered, its table exists and has these columns. A column that the table has
     * already stays as it is, with whatever type: compare the schema that comes back with what was asked for.
     */
    public LoadedTable ensureTable(String tenantId, String stream, List<ColumnDefinition> columns) {
        return CatalogJson.table(tenantId, stream, ensureTable(tableRequest(tenantId, stream, columns)));
    }

    /**
     * The same for rows of a tenant that may have been deleted: a table that does not exist is created only if none of
     * the rows lies below the tenant's floor.
     *
     * @param ofNewTable further columns of a table that is not there yet
     * @param rows the rows that need the table
     */
    public EnsuredTable ensureTable(
            String tenantId,
            String stream,
            List<ColumnDefinition> columns,
            List<ColumnDefinition> ofNewTable,
            OffsetRange rows) {
        ObjectNode body = CatalogJson.toJson(new TableRequest(tenantId, columns, ofNewTable, rows));
        return CatalogJson.ensuredTable(tenantId, stream, ensureTable(body.put("stream", stream)));
    }

    private static ObjectNode tableRequest(String tenantId, String stream, List<ColumnDefinition> columns) {
        ObjectNode body = Json.object().put("tenant", tenantId).put("stream", stream);
        body.set("columns", CatalogJson.columnsToJson(columns));
        return body;
    }

    private JsonNode ensureTable(ObjectNode body) {
        return http.json("POST", "tables", body);
    }

    /**
     * The same for the tables of several tenants at once. A tenant may be among them more than once.
     *
     * @return one reply for each request, in their order
     */
    public List<TableReply> ensureTables(String stream, List<TableRequest> requests) {
        JsonNode answer = http.json("POST", streamPath(stream) + "/tables", CatalogJson.tableRequestsToJson(requests));
        return CatalogJson.tableReplies(stream, requests, answer);
    }

    /**
     * Says which topic a stream has now, before it is read.
     *
     * @param topicId Kafka's id of the topic
     * @return the ids of topics that the stream had before: no record is left to come from them
     * @throws CatalogException with status 409 if the stream has had another topic since this one
     */
    public Set<String> setTopic(String stream, String topicId) {
        return putTopic(stream, Json.object().put("topic-id", topicId));
    }

    /**
     * Says which topics of a stream do not exist any more, where it has none now.
     *
     * @param topicIds ids that were known before Kafka said that there is no such topic
     * @return the ids of all topics that the stream had before: no record is left to come from them
     */
    public Set<String> endTopics(String stream, Set<String> topicIds) {
        ObjectNode body = Json.object();
        topicIds.forEach(body.putArray("ended")::add);
        return putTopic(stream, body);
    }

    private Set<String> putTopic(String stream, ObjectNode body) {
        return Set.copyOf(Json.texts(http.json("PUT", streamPath(stream) + "/topic", body), "ended"));
    }

    /** The table as it is now; empty if there is none. */
    public Optional<LoadedTable> table(String tenantId, String stream) {
        TableIdentifier identifier = TenantNames.table(tenantId, stream);
        try {
            BaseTable table = (BaseTable) catalog.loadTable(identifier);
            return Optional.of(loaded(tenantId, stream, table.operations().current()));
        } catch (NoSuchTableException e) {
            return Optional.empty();
        } catch (RuntimeException e) {
            throw new CatalogException("Cannot load table %s: %s".formatted(identifier, e.getMessage()), e);
        }
    }

    /** The table that a pointer points to, read from its metadata file. */
    public LoadedTable table(String stream, Pointers.TablePointer pointer) {
        return loaded(pointer.tenantId(), stream, TableMetadataParser.read(io, pointer.metadataLocation()));
    }

    private static LoadedTable loaded(String tenantId, String stream, TableMetadata metadata) {
        return LoadedTable.of(
                tenantId,
                stream,
                metadata.uuid(),
                metadata.location(),
                metadata.metadataFileLocation(),
                metadata.schema(),
                metadata.properties());
    }

    /** Where all tables of the stream stand. */
    public Pointers pointers(String stream) {
        return CatalogJson.pointers(http.get(streamPath(stream) + "/pointers"));
    }

    /** Where the tables of these tenants stand. */
    public Pointers pointers(String stream, Collection<String> tenantIds) {
        ObjectNode body = Json.object();
        tenantIds.forEach(body.putArray("tenants")::add);
        return CatalogJson.pointers(http.json("POST", streamPath(stream) + "/pointers", body));
    }

    /**
     * The columns that at least one table of the stream has, as {@link ColumnUnion} puts them together. The caller
     * reads no table.
     */
    public List<StreamColumn> columns(String stream) {
        return StreamColumnParser.fromJson(
                http.get(streamPath(stream) + "/columns").path("columns"));
    }

    /** W of every partition of the stream. */
    public Map<PartitionId, Long> archivedThrough(String stream) {
        return CatalogJson.offsets(http.get(streamPath(stream) + "/archived-through"))
                .entries();
    }

    /**
     * Raises W of these partitions; never lowers it. All in one transaction.
     *
     * @return W of every partition of the stream afterwards
     */
    public Map<PartitionId, Long> advanceArchivedThrough(String stream, Map<PartitionId, Long> offsets) {
        JsonNode body = CatalogJson.toJson(TableOffsets.of(offsets));
        return CatalogJson.offsets(http.json("POST", streamPath(stream) + "/archived-through", body))
                .entries();
    }

    /**
     * Asks the ingest job to flush what it has of a tenant as soon as it has read up to these offsets, instead of when
     * the rows are old or many enough. That it was done shows in the table's offsets and in W.
     */
    public void requestFlush(String tenantId, String stream, TableOffsets offsets) {
        ObjectNode body = Json.object().put("tenant", tenantId);
        body.set("offsets", CatalogJson.toJson(offsets));
        http.send("POST", streamPath(stream) + "/flush-requests", body);
    }

    /** Up to where flushes of the stream's tenants are asked for, by tenant id; not those that W has passed. */
    public Map<String, TableOffsets> flushRequests(String stream) {
        return CatalogJson.offsetsByName(http.get(streamPath(stream) + "/flush-requests"));
    }

    /** The deletions by predicate that the caller sees, oldest first. */
    public List<Deletion> deletions() {
        return DeletionParser.deletions(http.get("deletions"));
    }

    /** Registers a deletion, or replaces what the registry holds of it. */
    public void putDeletion(Deletion deletion) {
        http.send("PUT", "deletions/" + CatalogHttp.segment(deletion.id()), DeletionParser.toJson(deletion));
    }

    /** Forgets a deletion that deleted nothing. */
    public void forgetDeletion(String id) {
        http.send("DELETE", "deletions/" + CatalogHttp.segment(id), Json.object());
    }

    /** The first hours of the usage that is asked for and that the caller sees. */
    public UsagePage usage(UsageFilter filter) {
        return UsageParser.page(http.json("POST", "usage", UsageParser.toJson(filter)));
    }

    /** Reports how many bytes queries on a node have read. */
    public void reportScans(Scans scans) {
        http.send("PUT", "scans/" + CatalogHttp.segment(scans.incarnation()), UsageParser.toJson(scans));
    }

    /** Commits deletions of rows to the tables of this service. */
    public DeleteCommitter deleteCommitter() {
        return new DeleteCommitter(catalog);
    }

    @Override
    public TableOffsets read(String tenantId, String stream) {
        Pointers pointers = pointers(stream, List.of(tenantId));
        TableOffsets floor = pointers.floors().getOrDefault(tenantId, TableOffsets.NONE);
        return floor.max(TableOffsets.of(pointers.archivedThrough()));
    }

    /** What time it is by the clocks of the service and of the brokers. */
    public ClockReadings time() {
        return CatalogJson.time(http.get("time"));
    }

    /** The tenants that the caller sees, ordered by id. */
    public List<Tenant> tenants() {
        List<Tenant> tenants = new ArrayList<>();
        http.get("tenants").path("tenants").forEach(tenant -> tenants.add(CatalogJson.tenant(tenant)));
        return tenants;
    }

    /** This tenant, if it is registered. */
    public Optional<Tenant> tenant(String tenantId) {
        try {
            return Optional.of(CatalogJson.tenant(http.get(tenantPath(tenantId))));
        } catch (CatalogException e) {
            if (e.status() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Registers the tenant, or replaces what the registry holds of it. */
    public void putTenant(Tenant tenant) {
        http.send("PUT", tenantPath(tenant.id()), CatalogJson.toJson(tenant));
    }

    /**
     * Deletes the tenant: stores the floors and drops its tables at one moment. Their objects are left for
     * {@code TenantDeletions}.
     *
     * @param floors by stream: the end offsets of the partitions; rows below them are gone for good
     * @throws CatalogException with status 409 if a table has rows from above the floors by now: read the ends again
     */
    public void deleteTenant(String tenantId, Map<String, TableOffsets> floors) {
        ObjectNode body = Json.object();
        body.set("floors", CatalogJson.offsetsByNameToJson(floors));
        http.send("DELETE", tenantPath(tenantId), body);
    }

    /** The tenants whose deletion is not over, ordered by id; for a day also those whose objects are gone. */
    public List<TenantDeletion> tenantDeletions() {
        List<TenantDeletion> deletions = new ArrayList<>();
        http.get("tenant-deletions")
                .path("deletions")
                .forEach(deletion -> deletions.add(CatalogJson.deletion(deletion)));
        return deletions;
    }

    /**
     * Drops what is left of the tables of a tenant that is being deleted.
     *
     * @param objectsGone whether no object of the deletion, as it is handed in, is left
     * @return the deletion as it is now; empty if it is over
     */
    public Optional<TenantDeletion> continueDeletion(TenantDeletion deletion, boolean objectsGone) {
        ObjectNode body =
                Json.object().put("started-millis", deletion.startedMillis()).put("objects-gone", objectsGone);
        try {
            return Optional.of(CatalogJson.deletion(
                    http.json("POST", "tenant-deletions/" + TenantNames.schemaName(deletion.tenantId()), body)));
        } catch (CatalogException e) {
            if (e.status() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Users and what is granted to them. */
    public AccessRules accessRules() {
        return CatalogJson.accessRules(http.get("users"));
    }

    /** Adds the user, or replaces its role and grants; its tokens stay. */
    public void putUser(User user) {
        http.send("PUT", userPath(user.name()), CatalogJson.toJson(user));
    }

    /** Removes the user with its grants and tokens. */
    public void deleteUser(String userName) {
        http.send("DELETE", userPath(userName), Json.object());
    }

    /** Makes a new bearer token for the user. The service keeps only its hash, so it is shown this once. */
    public String createToken(String userName) {
        return Json.text(http.json("POST", userPath(userName) + "/tokens", Json.object()), "token");
    }

    /** Makes all tokens of the user worthless. */
    public void deleteTokens(String userName) {
        http.send("DELETE", userPath(userName) + "/tokens", Json.object());
    }

    private static String streamPath(String stream) {
        return "streams/" + CatalogHttp.segment(stream);
    }

    private static String tenantPath(String tenantId) {
        return "tenants/" + TenantNames.schemaName(tenantId);
    }

    private static String userPath(String userName) {
        return "users/" + CatalogHttp.segment(userName);
    }

    @Override
    public void close() {
        http.close();
        io.close();
        try {
            catalog.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
