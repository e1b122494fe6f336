package io.cordwood.catalog.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.alert.AlertParser;
import io.cordwood.catalog.alert.AlertRule;
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
import io.cordwood.catalog.pipeline.Pipeline;
import io.cordwood.catalog.pipeline.PipelineParser;
import io.cordwood.catalog.protocol.AccessToken;
import io.cordwood.catalog.protocol.AuditEntry;
import io.cordwood.catalog.protocol.Bearer;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.protocol.ClockReadings;
import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.IdentityJson;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.NoSuchPipelineException;
import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.protocol.TokenRequest;
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
import io.cordwood.identity.Audience;
import io.cordwood.identity.TokenRules;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
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
import org.apache.iceberg.rest.auth.AuthProperties;

/**
 * A connection to the catalog service: Iceberg's REST catalog for tables, and the service's own endpoints. Thread-safe.
 *
 * <p>Every method throws {@link CatalogException} if the service cannot be reached or refuses the request. The client
 * never repeats a request.
 */
public final class CatalogClient implements Closeable, ArchivedThrough {
    /** Property of the bearer token. */
    public static final String TOKEN = "token";
    /** Property of a file with the bearer token, which is read again when it changes. */
    public static final String TOKEN_FILE = "token-file";
    /** Property of a file with the certificates, in PEM, of the authorities that vouch for the service. */
    public static final String CA_FILE = "ca-file";

    private static final String TLS_CONFIGURER = "rest.client.tls.configurer-impl";

    private static final String TOKEN_ENDPOINT = "oauth2/token";
    private static final String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

    private final Optional<Supplier<String>> token;
    private final CatalogHttp http;
    private final RESTCatalog catalog;
    private final FileIO io;

    private CatalogClient(Optional<Supplier<String>> token, CatalogHttp http, RESTCatalog catalog, FileIO io) {
        this.token = token;
        this.http = http;
        this.catalog = catalog;
        this.io = io;
    }

    /**
     * Connects to the service at this URI.
     *
     * @param properties properties of Iceberg's REST catalog, for instance {@value #TOKEN}, {@value #TOKEN_FILE},
     *     {@value #CA_FILE} or {@code io-impl}; without {@code io-impl}, the client uses a {@link WarehouseFileIO},
     *     with the service's {@link S3Settings} where these properties lack them
     * @throws CatalogException if the service cannot be reached
     */
    public static CatalogClient connect(URI uri, Map<String, String> properties) {
        requireNonNull(uri, "uri is null");
        Map<String, String> all = new HashMap<>();
        all.put(CatalogProperties.FILE_IO_IMPL, WarehouseFileIO.class.getName());
        // Scans and commits are measured where they run; the service has no use for a copy of their metrics.
        all.put("rest-metrics-reporting-enabled", "false");
        all.putAll(properties);
        all.put(CatalogProperties.URI, uri.toString());
        Optional<Supplier<String>> token = BearerTokens.of(all);
        token.ifPresent(present -> all.putIfAbsent(AuthProperties.AUTH_TYPE, BearerTokens.class.getName()));
        Optional<SSLContext> tls = CaFile.of(all);
        tls.ifPresent(present -> all.putIfAbsent(TLS_CONFIGURER, CaFile.class.getName()));
        RESTCatalog catalog = new RESTCatalog();
        try {
            catalog.initialize("cordwood", all);
        } catch (RuntimeException e) {
            throw new CatalogException("Cannot connect to the catalog at %s: %s".formatted(uri, reason(e)), e);
        }
        // Includes the additions of the service's configuration.
        Map<String, String> merged = catalog.properties();
        FileIO io = CatalogUtil.loadFileIO(all.get(CatalogProperties.FILE_IO_IMPL), merged, null);
        return new CatalogClient(token, new CatalogHttp(uri, token, tls), catalog, io);
    }

    /** Iceberg's client says which request failed, and its cause says why. */
    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Iceberg's view of the service. */
    public Catalog catalog() {
        return catalog;
    }

    /** Settings of the warehouse's object store, if the warehouse is in one. */
    public S3Settings s3Settings() {
        return S3Settings.of(catalog.properties());
    }

    /** Access to the objects of the warehouse. */
    public FileIO io() {
        return io;
    }

    /** A committer for the tables of this service. */
    public LogBlockCommitter committer(FlushRewriter rewriter) {
        return committer(rewriter, Clock.systemUTC());
    }

    /**
     * A committer for the tables of this service.
     *
     * @param clock clock for the age of snapshots
     */
    public LogBlockCommitter committer(FlushRewriter rewriter, Clock clock) {
        return new LogBlockCommitter(new ServiceTables(http, io), rewriter, BackOff::ofCommits, clock);
    }

    /**
     * Ensures that the tenant is registered and that its table exists and has these columns. An existing column keeps
     * its type, so compare the returned schema with the request.
     */
    public LoadedTable ensureTable(String tenantId, String stream, List<ColumnDefinition> columns) {
        return CatalogJson.table(tenantId, stream, ensureTable(tableRequest(tenantId, stream, columns)));
    }

    /**
     * Like {@link #ensureTable(String, String, List)}, for rows of a tenant that may have been deleted: creates a
     * missing table only if no row lies below the tenant's floor.
     *
     * @param ofNewTable further columns of a table that must be created
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
     * Like {@link #ensureTable(String, String, List)}, for the tables of several tenants at once. A tenant may occur
     * more than once.
     *
     * @return one reply per request, in the same order
     */
    public List<TableReply> ensureTables(String stream, List<TableRequest> requests) {
        JsonNode answer = http.json("POST", streamPath(stream) + "/tables", CatalogJson.tableRequestsToJson(requests));
        return CatalogJson.tableReplies(stream, requests, answer);
    }

    /**
     * Registers the present topic of a stream, before the caller reads it.
     *
     * @param topicId Kafka's id of the topic
     * @return ids of the stream's former topics: no more records come from them
     * @throws CatalogException with status 409 if the stream has had another topic since this one
     */
    public Set<String> setTopic(String stream, String topicId) {
        return putTopic(stream, Json.object().put("topic-id", topicId));
    }

    /**
     * Registers topics of a stream as ended, when the stream has no topic.
     *
     * @param topicIds ids that were known before Kafka reported that the topic does not exist
     * @return ids of all former topics of the stream: no more records come from them
     */
    public Set<String> endTopics(String stream, Set<String> topicIds) {
        ObjectNode body = Json.object();
        topicIds.forEach(body.putArray("ended")::add);
        return putTopic(stream, body);
    }

    private Set<String> putTopic(String stream, ObjectNode body) {
        return Set.copyOf(Json.texts(http.json("PUT", streamPath(stream) + "/topic", body), "ended"));
    }

    /** The current table; empty if there is none. */
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

    /** Reads the table at a pointer from its metadata file. */
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

    /** Pointers to the current metadata of all tables of the stream. */
    public Pointers pointers(String stream) {
        return CatalogJson.pointers(http.get(streamPath(stream) + "/pointers"));
    }

    /** Pointers to the current metadata of these tenants' tables. */
    public Pointers pointers(String stream, Collection<String> tenantIds) {
        ObjectNode body = Json.object();
        tenantIds.forEach(body.putArray("tenants")::add);
        return CatalogJson.pointers(http.json("POST", streamPath(stream) + "/pointers", body));
    }

    /**
     * Columns that at least one table of the stream has, merged by {@link ColumnUnion}. The caller need not read any
     * table.
     */
    public List<StreamColumn> columns(String stream) {
        return StreamColumnParser.fromJson(
                http.get(streamPath(stream) + "/columns").path("columns"));
    }

    /** The archived-through offset of every partition of the stream. */
    public Map<PartitionId, Long> archivedThrough(String stream) {
        return CatalogJson.offsets(http.get(streamPath(stream) + "/archived-through"))
                .entries();
    }

    /**
     * Raises the archived-through offsets of these partitions, in one transaction; never lowers any.
     *
     * @return the archived-through offset of every partition of the stream afterwards
     */
    public Map<PartitionId, Long> advanceArchivedThrough(String stream, Map<PartitionId, Long> offsets) {
        JsonNode body = CatalogJson.toJson(TableOffsets.of(offsets));
        return CatalogJson.offsets(http.json("POST", streamPath(stream) + "/archived-through", body))
                .entries();
    }

    /**
     * Requests that the ingest job flush a tenant's rows as soon as it has read up to these offsets, instead of when
     * they are old or numerous enough. The table's offsets and the archived-through offsets show when it has done so.
     */
    public void requestFlush(String tenantId, String stream, TableOffsets offsets) {
        ObjectNode body = Json.object().put("tenant", tenantId);
        body.set("offsets", CatalogJson.toJson(offsets));
        http.send("POST", streamPath(stream) + "/flush-requests", body);
    }

    /** Offsets of requested flushes by tenant id, without those that archived-through has passed. */
    public Map<String, TableOffsets> flushRequests(String stream) {
        return CatalogJson.offsetsByName(http.get(streamPath(stream) + "/flush-requests"));
    }

    /** Deletions by predicate that are visible to the caller, oldest first. */
    public List<Deletion> deletions() {
        return DeletionParser.deletions(http.get("deletions"));
    }

    /** Registers or replaces a deletion. */
    public void putDeletion(Deletion deletion) {
        http.send("PUT", "deletions/" + CatalogHttp.segment(deletion.id()), DeletionParser.toJson(deletion));
    }

    /** Removes a deletion that deleted nothing. */
    public void forgetDeletion(String id) {
        http.send("DELETE", "deletions/" + CatalogHttp.segment(id), Json.object());
    }

    /** The first page, by hour, of the requested usage that is visible to the caller. */
    public UsagePage usage(UsageFilter filter) {
        return UsageParser.page(http.json("POST", "usage", UsageParser.toJson(filter)));
    }

    /** Reports the bytes that queries on a node have read. */
    public void reportScans(Scans scans) {
        http.send("PUT", "scans/" + CatalogHttp.segment(scans.incarnation()), UsageParser.toJson(scans));
    }

    /** A committer of row deletions for the tables of this service. */
    public DeleteCommitter deleteCommitter() {
        return new DeleteCommitter(catalog);
    }

    @Override
    public TableOffsets read(String tenantId, String stream) {
        Pointers pointers = pointers(stream, List.of(tenantId));
        TableOffsets floor = pointers.floors().getOrDefault(tenantId, TableOffsets.NONE);
        return floor.max(TableOffsets.of(pointers.archivedThrough()));
    }

    /** The present time by the clocks of the service and of the brokers. */
    public ClockReadings time() {
        return CatalogJson.time(http.get("time"));
    }

    /** Tenants that are visible to the caller, ordered by id. */
    public List<Tenant> tenants() {
        List<Tenant> tenants = new ArrayList<>();
        http.get("tenants").path("tenants").forEach(tenant -> tenants.add(CatalogJson.tenant(tenant)));
        return tenants;
    }

    /** The tenant; empty if it is not registered. */
    public Optional<Tenant> tenant(String tenantId) {
        return found(() -> CatalogJson.tenant(http.get(tenantPath(tenantId))));
    }

    /** Registers or replaces the tenant. */
    public void putTenant(Tenant tenant) {
        http.send("PUT", tenantPath(tenant.id()), CatalogJson.toJson(tenant));
    }

    /**
     * Deletes the tenant: stores the floors and drops its tables atomically. {@code TenantDeletions} deletes their
     * objects.
     *
     * @param floors end offsets of the partitions, by stream; rows below them are deleted for good
     * @throws CatalogException with status 409 if a table meanwhile has rows above the floors: read the end offsets
     *     again
     */
    public void deleteTenant(String tenantId, Map<String, TableOffsets> floors) {
        ObjectNode body = Json.object();
        body.set("floors", CatalogJson.offsetsByNameToJson(floors));
        http.send("DELETE", tenantPath(tenantId), body);
    }

    /**
     * Unfinished deletions of tenants, ordered by id; a finished deletion stays until a day after it started.
     */
    public List<TenantDeletion> tenantDeletions() {
        List<TenantDeletion> deletions = new ArrayList<>();
        http.get("tenant-deletions")
                .path("deletions")
                .forEach(deletion -> deletions.add(CatalogJson.deletion(deletion)));
        return deletions;
    }

    /**
     * Drops the remaining tables of a tenant that is being deleted.
     *
     * @param objectsGone whether no object of {@code deletion} is left
     * @return the current deletion; empty if it is over
     */
    public Optional<TenantDeletion> continueDeletion(TenantDeletion deletion, boolean objectsGone) {
        ObjectNode body =
                Json.object().put("started-millis", deletion.startedMillis()).put("objects-gone", objectsGone);
        return found(() -> CatalogJson.deletion(
                http.json("POST", "tenant-deletions/" + TenantNames.schemaName(deletion.tenantId()), body)));
    }

    /** Alerts of all tenants that are visible to the caller, by tenant and name. */
    public List<Alert> alerts() {
        return AlertParser.alerts(http.get("alerts"));
    }

    /** A tenant's alerts that are visible to the caller, by name. */
    public List<Alert> alerts(String tenantId) {
        return AlertParser.alerts(http.get(tenantPath(tenantId) + "/alerts"));
    }

    /** Adds or replaces an alert rule. The alert begins anew if it has other labels. */
    public void putAlert(AlertRule rule) {
        http.send("PUT", alertPath(rule.tenantId(), rule.name()), AlertParser.toJson(rule));
    }

    /** Removes an alert rule. @return false if there was none */
    public boolean deleteAlert(String tenantId, String name) {
        return found(() -> {
                    http.send("DELETE", alertPath(tenantId, name), Json.object());
                    return true;
                })
                .isPresent();
    }

    /**
     * Admits an evaluator of alerts, and none with a smaller number any more.
     *
     * @param fence its number
     * @return the greatest number that was admitted; if it is greater, another evaluator has begun since
     */
    public long admitAlertEvaluator(long fence) {
        return Json.number(http.json("POST", "alert-evaluator", Json.object().put("fence", fence)), "fence");
    }

    /**
     * Stores the status of an alert.
     *
     * @param fence number of the evaluator
     * @return false if the rule has changed or is gone
     * @throws CatalogException with status 409 if an evaluator with a greater number was admitted
     */
    public boolean putAlertStatus(Alert alert, long fence) {
        ObjectNode body = Json.object().put("fence", fence).put("revision", alert.revision());
        body.set("status", AlertParser.toJson(alert.status()));
        String path = alertPath(alert.rule().tenantId(), alert.rule().name()) + "/status";
        return found(() -> {
                    http.send("PUT", path, body);
                    return true;
                })
                .isPresent();
    }

    /**
     * The tenant's pipeline; empty only if the service says that it has none, as it does of tenants that are not
     * registered.
     *
     * @throws CatalogException also for any other answer, so that rows are not taken for such as need no pipeline
     */
    public Optional<Pipeline> pipeline(String tenantId) {
        return foundPipeline(() -> PipelineParser.pipeline(http.get(pipelinePath(tenantId))));
    }

    /** Sets or replaces the pipeline of a registered tenant. */
    public void putPipeline(String tenantId, Pipeline pipeline) {
        http.send("PUT", pipelinePath(tenantId), PipelineParser.toJson(pipeline));
    }

    /** Removes a tenant's pipeline. @return false if it had none */
    public boolean deletePipeline(String tenantId) {
        return foundPipeline(() -> {
                    http.send("DELETE", pipelinePath(tenantId), Json.object());
                    return true;
                })
                .isPresent();
    }

    private static String pipelinePath(String tenantId) {
        return tenantPath(tenantId) + "/pipeline";
    }

    /** The answer; empty if the tenant has no pipeline. */
    private static <T> Optional<T> foundPipeline(Supplier<T> request) {
        try {
            return Optional.of(request.get());
        } catch (CatalogException e) {
            if (e.type().equals(NoSuchPipelineException.class.getSimpleName())) {
                return Optional.empty();
            }
            throw e;
        } catch (IllegalArgumentException e) {
            throw new CatalogException("The catalog's answer is no pipeline: " + e.getMessage(), e);
        }
    }

    private static String alertPath(String tenantId, String name) {
        return "%s/alerts/%s".formatted(tenantPath(tenantId), CatalogHttp.segment(name));
    }

    /** Users and their grants. */
    public AccessRules accessRules() {
        return IdentityJson.accessRules(http.get("users"));
    }

    /** As {@link #accessRules}, for who asks every few seconds: an answer that is silent for three is given up. */
    public AccessRules pollAccessRules() {
        return IdentityJson.accessRules(http.poll("users"));
    }

    /** The user; empty if it is not registered. */
    public Optional<User> user(String userName) {
        return found(() -> IdentityJson.user(http.get(userPath(userName))));
    }

    /** Adds the user, or replaces its role and grants. Tokens for what it may not do any more are revoked. */
    public void putUser(User user) {
        http.send("PUT", userPath(user.name()), IdentityJson.toJson(user));
    }

    /** Removes the user with its grants, and revokes its tokens. */
    public void deleteUser(String userName) {
        http.send("DELETE", userPath(userName), Json.object());
    }

    /**
     * Makes the first operator of a service with authentication.
     *
     * @param uri the service
     * @param properties as for {@link #connect}, without a token
     * @param bootstrapToken the secret that the service was started with
     * @return an API key of the operator
     * @throws CatalogException with status 409 if there is an operator, 401 if the secret is wrong
     */
    public static IssuedToken bootstrap(
            URI uri, Map<String, String> properties, String bootstrapToken, String operatorName) {
        try (CatalogHttp http = new CatalogHttp(uri, Optional.of(() -> bootstrapToken), CaFile.of(properties))) {
            return IdentityJson.issuedToken(
                    http.json("POST", "bootstrap", Json.object().put("user", operatorName)));
        }
    }

    /** Creates an API key for all that the user may do, for the service's default time. */
    public IssuedToken createToken(String userName) {
        return createToken(userName, TokenRequest.DEFAULT);
    }

    /** Creates an API key. The service does not keep it, so it cannot be read again. */
    public IssuedToken createToken(String userName, TokenRequest request) {
        return IdentityJson.issuedToken(
                http.json("POST", userPath(userName) + "/tokens", IdentityJson.toJson(request)));
    }

    /**
     * Exchanges the caller's token for a short one for records.
     *
     * @param streams the only streams; empty: all that the caller's token is good for
     * @throws IllegalStateException if this client has no token
     */
    public AccessToken recordToken(String tenantId, Set<String> streams) {
        return recordToken(Map.of("tenant", tenantId, "stream", String.join(" ", streams)));
    }

    /**
     * Exchanges the token of the ingest gateway for a short one for records of all tenants.
     *
     * @throws IllegalStateException if this client has no token
     */
    public AccessToken recordTokenOfGateway() {
        return recordToken(Map.of());
    }

    private AccessToken recordToken(Map<String, String> limits) {
        Map<String, String> form = new HashMap<>(limits);
        form.put("grant_type", TOKEN_EXCHANGE);
        form.put(
                "subject_token",
                token.orElseThrow(() -> new IllegalStateException("The client has no token"))
                        .get());
        form.put("subject_token_type", "urn:ietf:params:oauth:token-type:access_token");
        form.put("audience", Audience.RECORDS.label());
        return accessToken(http.form(TOKEN_ENDPOINT, form));
    }

    /** The token of this client, as it is now; empty if it has none. */
    public Optional<String> currentToken() {
        return token.map(Supplier::get);
    }

    /**
     * Exchanges a token for one of the lake: one of the OpenID provider that the service knows, or another of the lake.
     *
     * @param uri the service
     * @param properties as for {@link #connect}, without a token
     * @param subject the token
     * @throws CatalogException with status 400 if the token is not good, 503 if the provider does not answer
     */
    public static AccessToken exchange(URI uri, Map<String, String> properties, String subject) {
        try (CatalogHttp http = new CatalogHttp(uri, Optional.empty(), CaFile.of(properties))) {
            return accessToken(http.form(
                    TOKEN_ENDPOINT,
                    Map.of(
                            "grant_type", TOKEN_EXCHANGE,
                            "subject_token", subject,
                            "subject_token_type", "urn:ietf:params:oauth:token-type:jwt")));
        }
    }

    /** The answer; empty if the service has no such thing. */
    private static <T> Optional<T> found(Supplier<T> request) {
        try {
            return Optional.of(request.get());
        } catch (CatalogException e) {
            if (e.status() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static AccessToken accessToken(JsonNode json) {
        return new AccessToken(Json.text(json, "access_token"), Duration.ofSeconds(Json.number(json, "expires_in")));
    }

    /** Tokens that are visible to the caller, newest first. */
    public List<RegisteredToken> tokens() {
        return IdentityJson.tokens(http.get("tokens"));
    }

    /** Tokens of a user, newest first. */
    public List<RegisteredToken> tokens(String userName) {
        return IdentityJson.tokens(http.get("tokens?user=" + CatalogHttp.segment(userName)));
    }

    /** Revokes a token and those that it was exchanged for. */
    public void revokeToken(String tokenId) {
        http.send("DELETE", "tokens/" + CatalogHttp.segment(tokenId), Json.object());
    }

    /** What decides whether a token is good, for who asks every few seconds: silence of three is given up. */
    public TokenRules tokenRules() {
        return TokenRules.parse(http.poll("token-rules").toString());
    }

    /** Who the caller is. */
    public Bearer whoami() {
        return IdentityJson.bearer(http.get("whoami"));
    }

    /** The newest entries of the audit, newest first. */
    public List<AuditEntry> audit(int limit) {
        return IdentityJson.audit(http.get("audit?limit=" + limit));
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
