package io.cordwood.query.snapshot;

import com.google.common.base.Suppliers;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.AbstractIterator;
import io.cordwood.catalog.alert.Alert;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.delete.DeleteCommitter;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.protocol.Pointers;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.StreamColumn;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.catalog.usage.UsageParser;
import io.cordwood.identity.TokenRules;
import io.cordwood.query.cache.SharedCaches;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.table.TableVersion;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queries' client of the catalog service. It never caches pointers; it caches metadata files by their location,
 * since they never change. Thread-safe.
 */
public final class QueryCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(QueryCatalog.class);

    private record CachedTable(TableVersion table, int weight) {}

    /** The memory of a parsed metadata file as a multiple of its JSON bytes, approximately. */
    private static final int PARSED_PER_JSON_BYTE = 4;

    private final Supplier<CatalogClient> client;
    private final List<String> streams;
    private final ExecutorService executor;
    private final Cache<String, CachedTable> tables;
    private final Supplier<AccessRules> accessRules;

    /**
     * Creates a catalog that connects at first use.
     *
     * @param uri address of the catalog service
     * @param properties properties of its client
     * @param streams names of all streams
     * @param cacheBytes memory for table metadata
     * @param accessRulesMaxAge maximum age of cached access rules
     * @param executor reads table metadata
     */
    public QueryCatalog(
            URI uri,
            Map<String, String> properties,
            List<String> streams,
            long cacheBytes,
            Duration accessRulesMaxAge,
            ExecutorService executor) {
        // Connected at first use, so that a server can start before the catalog service
        client = Suppliers.memoize(() -> CatalogClient.connect(uri, properties));
        this.streams = List.copyOf(streams);
        this.executor = executor;
        tables = CacheBuilder.newBuilder()
                .maximumWeight(cacheBytes)
                .weigher((String location, CachedTable cached) -> cached.weight())
                .build();
        accessRules = Suppliers.memoizeWithExpiration(
                () -> call("read the access rules", () -> client.get().accessRules()),
                Math.max(1, accessRulesMaxAge.toMillis()),
                TimeUnit.MILLISECONDS);
    }

    public List<String> streams() {
        return streams;
    }

    /** Settings of the warehouse's object store. */
    public S3Settings s3Settings() {
        return client.get().s3Settings();
    }

    public FileIO io() {
        return client.get().io();
    }

    /** Users and grants, at most as old as the configured time. */
    public AccessRules accessRules() {
        return accessRules.get();
    }

    /** What decides whether a token is good. */
    public TokenRules tokenRules() {
        return call("read the rules of tokens", () -> client.get().tokenRules());
    }

    public List<Tenant> tenants() {
        return call("list the tenants", () -> client.get().tenants());
    }

    public boolean tenantExists(String tenantId) {
        return call(
                        "look up tenant '%s'".formatted(tenantId),
                        () -> client.get().tenant(tenantId))
                .isPresent();
    }

    /** The tenant of a schema; empty if no tenant can have that name. */
    public Optional<String> tenantId(String schemaName) {
        try {
            Optional<String> tenantId = TenantNames.tenantId(schemaName);
            return tenantId.isPresent()
                    ? tenantId
                    : tenants().stream()
                            .filter(tenant -> tenant.schemaName().equals(schemaName))
                            .map(Tenant::id)
                            .findFirst();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    Pointers pointers(String stream) {
        return call(
                "list the tables of stream '%s'".formatted(stream),
                () -> client.get().pointers(stream));
    }

    /** Pointers to the stream's tables of some tenants, and the floors of those that were deleted. */
    public Pointers pointers(String stream, Collection<String> tenantIds) {
        return call(
                "look up tables of stream '%s'".formatted(stream),
                () -> client.get().pointers(stream, tenantIds));
    }

    /** The columns that at least one table of the stream has, in one call. */
    List<StreamColumn> columns(String stream) {
        return call(
                "list the columns of stream '%s'".formatted(stream),
                () -> client.get().columns(stream));
    }

    /** Requests that the ingest job flush a tenant's rows below these offsets. */
    public void requestFlush(String tenantId, String stream, TableOffsets offsets) {
        call("request a flush of stream '%s' of tenant '%s'".formatted(stream, tenantId), () -> {
            client.get().requestFlush(tenantId, stream, offsets);
            return offsets;
        });
    }

    /** All deletions by predicate, oldest first. */
    public List<Deletion> deletions() {
        return call("list the deletions", () -> client.get().deletions());
    }

    /** Registers a deletion, or its result. */
    public void putDeletion(Deletion deletion) {
        call("register deletion %s".formatted(deletion.id()), () -> {
            client.get().putDeletion(deletion);
            return deletion;
        });
    }

    /** Forgets a deletion that deleted nothing. */
    public void forgetDeletion(String id) {
        call("forget deletion %s".formatted(id), () -> {
            client.get().forgetDeletion(id);
            return id;
        });
    }

    /** Alerts of all tenants, by tenant and name. */
    public List<Alert> alerts() {
        return call("list the alerts", () -> client.get().alerts());
    }

    /** Admits an evaluator of alerts, and none with a smaller number any more; returns the greatest number. */
    public long admitAlertEvaluator(long fence) {
        return call("evaluate alerts", () -> client.get().admitAlertEvaluator(fence));
    }

    /** Stores the status of an alert; false if its rule has changed. */
    public boolean putAlertStatus(Alert alert, long fence) {
        return call(
                "store alert '%s' of tenant '%s'"
                        .formatted(alert.rule().name(), alert.rule().tenantId()),
                () -> client.get().putAlertStatus(alert, fence));
    }

    /** The usage of tenants, ordered by hour; the iterator reads it page by page. */
    public Iterable<Usage> usage(UsageFilter filter) {
        return () -> new AbstractIterator<>() {
            private Iterator<Usage> page = List.<Usage>of().iterator();
            private OptionalLong next = OptionalLong.of(filter.fromHour());

            @Override
            protected Usage computeNext() {
                while (!page.hasNext() && next.isPresent()) {
                    UsageFilter rest = filter.from(next.getAsLong());
                    UsageParser.UsagePage read =
                            call("read the usage", () -> client.get().usage(rest));
                    if (read.tablesMissing() > 0) {
                        LOG.warn(
                                "Usage of {} tables may be missing from system.usage: the catalog service could not read them yet",
                                read.tablesMissing());
                    }
                    page = read.usage().iterator();
                    next = read.nextHour();
                }
                return page.hasNext() ? page.next() : endOfData();
            }
        };
    }

    /** Reports the bytes that queries on this node have read. */
    public void reportScans(Scans scans) {
        call("report scanned bytes", () -> {
            client.get().reportScans(scans);
            return scans;
        });
    }

    /**
     * Commits deletes and returns the id of the new snapshot.
     *
     * @throws TableCommitException if the commit fails
     */
    public long commitDeletes(DeleteCommitter.Deletes deletes) throws InterruptedException {
        return client.get().deleteCommitter().commit(deletes);
    }

    public TableVersion load(String stream, TablePointer pointer) {
        try {
            return SharedCaches.get(tables, pointer.metadataLocation(), () -> read(stream, pointer))
                    .table();
        } catch (ExecutionException | RuntimeException e) {
            throw ReadFailures.of(
                    QueryError.INVALID_METADATA,
                    "Cannot read the metadata of table '%s' of tenant '%s' at %s"
                            .formatted(stream, pointer.tenantId(), pointer.metadataLocation()),
                    e);
        }
    }

    private CachedTable read(String stream, TablePointer pointer) {
        String location = pointer.metadataLocation();
        TableVersion table = TableVersion.of(pointer.tenantId(), stream, TableMetadataParser.read(io(), location));
        long weight = io().newInputFile(location).getLength() * PARSED_PER_JSON_BYTE;
        return new CachedTable(table, (int) Math.min(Integer.MAX_VALUE, weight));
    }

    /** Loads tables in parallel, in the order of the pointers. Tables that cannot be read are logged and skipped. */
    List<TableVersion> loadReadable(String stream, List<TablePointer> pointers) {
        List<Future<TableVersion>> loading = new ArrayList<>(pointers.size());
        for (TablePointer pointer : pointers) {
            loading.add(executor.submit(() -> load(stream, pointer)));
        }
        List<TableVersion> loaded = new ArrayList<>(pointers.size());
        try {
            for (Future<TableVersion> table : loading) {
                try {
                    loaded.add(table.get());
                } catch (ExecutionException e) {
                    LOG.warn("Table skipped: {}", e.getCause().getMessage(), e.getCause());
                }
            }
            return loaded;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(QueryError.CATALOG_ERROR, "Interrupted while reading table metadata", e);
        } finally {
            loading.forEach(table -> table.cancel(true));
        }
    }

    private static <T> T call(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (CatalogException e) {
            throw new QueryException(
                    QueryError.CATALOG_ERROR,
                    "Cannot %s: %s. Is the catalog service up?".formatted(what, e.getMessage()),
                    e);
        }
    }
}
