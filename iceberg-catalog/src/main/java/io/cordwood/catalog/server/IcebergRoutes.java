package io.cordwood.catalog.server;

import io.cordwood.catalog.commit.TableTimes;
import io.cordwood.catalog.protocol.Preference;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.catalog.server.storage.AccessDelegation;
import io.cordwood.catalog.server.storage.StorageAccess;
import io.cordwood.catalog.server.table.DeletesOnly;
import io.cordwood.catalog.server.table.PersonCommits;
import io.cordwood.catalog.server.table.RepeatedCommit;
import io.cordwood.catalog.server.table.TableLocks;
import io.cordwood.catalog.server.table.TableRules;
import io.cordwood.catalog.server.table.UsageRollUp;
import io.cordwood.catalog.server.table.UsageUpdate;
import io.cordwood.catalog.usage.UsageJournal;
import io.cordwood.http.Reply;
import io.cordwood.identity.ServiceRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTCatalogProperties.SnapshotMode;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.CreateTableRequest;
import org.apache.iceberg.rest.requests.RemoteSignRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;

/**
 * Iceberg's REST catalog under {@code /v1}. Thread-safe.
 *
 * <p>A reader reads the tables of its tenants, and a writer commits to them by {@link PersonCommits}. Other changes
 * need an operator, and obey {@link TableRules}. Dropping a table leaves its files alone, with or without a request to
 * purge.
 */
final class IcebergRoutes {
    private static final String NAMESPACES = "/v1/namespaces";
    private static final String NAMESPACE = NAMESPACES + "/{namespace}";
    private static final String TABLES = NAMESPACE + "/tables";
    private static final String TABLE = TABLES + "/{table}";

    /** Services that read all tables. */
    private static final ServiceRole[] READERS = {ServiceRole.QUERY, ServiceRole.SEARCH};
    /** Services that commit to all tables; the query service only deletes. */
    private static final ServiceRole[] COMMITTERS = {ServiceRole.INGEST, ServiceRole.COMPACTOR, ServiceRole.QUERY};
    /** Services that load tables. */
    private static final ServiceRole[] LOADERS = {
        ServiceRole.INGEST, ServiceRole.COMPACTOR, ServiceRole.QUERY, ServiceRole.SEARCH
    };

    private static final List<Endpoint> ENDPOINTS = List.of(
            Endpoint.V1_LIST_NAMESPACES,
            Endpoint.V1_LOAD_NAMESPACE,
            Endpoint.V1_NAMESPACE_EXISTS,
            Endpoint.V1_CREATE_NAMESPACE,
            Endpoint.V1_UPDATE_NAMESPACE,
            Endpoint.V1_DELETE_NAMESPACE,
            Endpoint.V1_LIST_TABLES,
            Endpoint.V1_LOAD_TABLE,
            Endpoint.V1_TABLE_EXISTS,
            Endpoint.V1_CREATE_TABLE,
            Endpoint.V1_UPDATE_TABLE,
            Endpoint.V1_DELETE_TABLE,
            Endpoint.V1_RENAME_TABLE,
            Endpoint.V1_REPORT_METRICS);

    private final JdbcCatalog catalog;
    private final TableRules rules;
    private final PersonCommits personCommits;
    private final DeletesOnly deletesOnly;
    private final TableLocks locks;
    private final UsageRollUp usage;
    private final ServiceMetrics metrics;
    private final Map<String, String> clientProperties;
    private final Optional<StorageAccess> storage;

    /**
     * The routes.
     *
     * @param clientProperties configuration for clients that they may override
     * @param storage access to objects for clients without keys; empty: all have their own
     */
    IcebergRoutes(
            JdbcCatalog catalog,
            TableRules rules,
            PersonCommits personCommits,
            DeletesOnly deletesOnly,
            TableLocks locks,
            UsageRollUp usage,
            ServiceMetrics metrics,
            Map<String, String> clientProperties,
            Optional<StorageAccess> storage) {
        this.catalog = catalog;
        this.rules = rules;
        this.personCommits = personCommits;
        this.deletesOnly = deletesOnly;
        this.locks = locks;
        this.usage = usage;
        this.metrics = metrics;
        this.clientProperties = Map.copyOf(clientProperties);
        this.storage = storage;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(new Route("GET", "/v1/config", Permission.ANY_TOKEN, call -> config()));
        routes.add(new Route("GET", NAMESPACES, Permission.PERSON.or(READERS), this::listNamespaces));
        routes.add(new Route("POST", NAMESPACES, Permission.OPERATOR, this::createNamespace));
        routes.add(new Route(
                "GET",
                NAMESPACE,
                Permission.MEMBER.or(READERS),
                call -> IcebergJson.reply(CatalogHandlers.loadNamespace(catalog, call.namespace()))));
        routes.add(new Route("HEAD", NAMESPACE, Permission.MEMBER.or(READERS), call -> {
            CatalogHandlers.namespaceExists(catalog, call.namespace());
            return Reply.noContent();
        }));
        routes.add(new Route("DELETE", NAMESPACE, Permission.OPERATOR, call -> {
            CatalogHandlers.dropNamespace(catalog, call.namespace());
            return Reply.noContent();
        }));
        routes.add(new Route(
                "POST",
                NAMESPACE + "/properties",
                Permission.OPERATOR,
                call -> IcebergJson.reply(CatalogHandlers.updateNamespaceProperties(
                        catalog,
                        call.namespace(),
                        IcebergJson.request(call, UpdateNamespacePropertiesRequest.class)))));
        routes.add(new Route("GET", TABLES, Permission.READER.or(READERS), this::listTables));
        routes.add(new Route("POST", TABLES, Permission.OPERATOR, this::createTable).withLargeBody());
        routes.add(new Route("GET", TABLE, Permission.READER.or(LOADERS), this::loadTable));
        routes.add(new Route("HEAD", TABLE, Permission.READER.or(READERS), call -> {
            CatalogHandlers.tableExists(catalog, call.table());
            return Reply.noContent();
        }));
        routes.add(new Route("POST", TABLE, Permission.WRITER.or(COMMITTERS), this::updateTable).withLargeBody());
        routes.add(new Route("DELETE", TABLE, Permission.OPERATOR, this::dropTable));
        routes.add(new Route("POST", TABLE + "/metrics", Permission.READER.or(READERS), call -> Reply.noContent()));
        routes.add(new Route("POST", "/v1/tables/rename", Permission.OPERATOR, this::renameTable));
        storage.ifPresent(access ->
                routes.add(new Route("POST", TABLE + "/sign", Permission.MEMBER, call -> sign(access, call))));
        return routes;
    }

    private Reply config() {
        ConfigResponse.Builder config = ConfigResponse.builder().withEndpoints(ENDPOINTS);
        clientProperties.forEach(config::withDefault);
        return IcebergJson.reply(config.build());
    }

    private Reply listNamespaces(Call call) {
        Namespace parent =
                call.parameter("parent").map(RESTUtil::namespaceFromQueryParam).orElse(Namespace.empty());
        if (call.caller().isPerson() && !parent.isEmpty()) {
            call.caller().requireMember(parent);
        }
        List<Namespace> visible = CatalogHandlers.listNamespaces(catalog, parent).namespaces().stream()
                .filter(call.caller()::sees)
                .toList();
        Page<Namespace> page = page(visible, call);
        return IcebergJson.reply(ListNamespacesResponse.builder()
                .addAll(page.items())
                .nextPageToken(page.next().orElse(null))
                .build());
    }

    private record Page<T>(List<T> items, Optional<String> next) {}

    /** The page of what the caller may see, so that neither its size nor its token tells of the rest. */
    private static <T> Page<T> page(List<T> visible, Call call) {
        Optional<Integer> size = call.parameter("pageSize").map(text -> number("pageSize", text, 1));
        if (size.isEmpty()) {
            return new Page<>(visible, Optional.empty());
        }
        int from = Math.min(
                visible.size(),
                call.parameter("pageToken")
                        .map(text -> number("pageToken", text, 0))
                        .orElse(0));
        int to = (int) Math.min(visible.size(), (long) from + size.get());
        return new Page<>(
                visible.subList(from, to), to < visible.size() ? Optional.of(Integer.toString(to)) : Optional.empty());
    }

    private static int number(String parameter, String text, int least) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Parameter %s is '%s', which is no number".formatted(parameter, text), e);
        }
        throw new IllegalArgumentException(
                "Parameter %s is %s; it must be at least %d".formatted(parameter, text, least));
    }

    private Reply createNamespace(Call call) {
        CreateNamespaceRequest request = IcebergJson.request(call, CreateNamespaceRequest.class);
        rules.checkNamespace(request.namespace());
        return IcebergJson.reply(CatalogHandlers.createNamespace(catalog, request));
    }

    private Reply listTables(Call call) {
        List<TableIdentifier> visible = CatalogHandlers.listTables(catalog, call.namespace()).identifiers().stream()
                .filter(table -> call.caller().admits(table.name()))
                .toList();
        Page<TableIdentifier> page = page(visible, call);
        return IcebergJson.reply(ListTablesResponse.builder()
                .addAll(page.items())
                .nextPageToken(page.next().orElse(null))
                .build());
    }

    private Reply createTable(Call call) {
        CreateTableRequest request = IcebergJson.request(call, CreateTableRequest.class);
        TableIdentifier table = TableIdentifier.of(call.namespace(), request.name());
        rules.checkCreation(table, request);
        checkExists(call.namespace());
        if (request.stageCreate()) {
            return IcebergJson.reply(CatalogHandlers.stageTableCreate(catalog, call.namespace(), request));
        }
        LoadTableResponse response = CatalogHandlers.createTable(catalog, call.namespace(), request);
        usage.committed(table, response.tableMetadata());
        return IcebergJson.reply(response);
    }

    private Reply loadTable(Call call) {
        SnapshotMode mode = call.parameter("snapshots")
                .map(snapshots -> SnapshotMode.valueOf(snapshots.toUpperCase(java.util.Locale.ROOT)))
                .orElse(SnapshotMode.ALL);
        TableIdentifier table = call.table();
        Optional<AccessDelegation> way =
                storage.flatMap(access -> access.way(call.caller(), table, call.header(AccessDelegation.HEADER)));
        LoadTableResponse loaded = CatalogHandlers.loadTable(catalog, table, mode);
        if (way.isEmpty()) {
            return IcebergJson.reply(loaded);
        }
        LoadTableResponse response = storage.orElseThrow().with(way.get(), table, loaded);
        Reply reply = IcebergJson.reply(response);
        return response.credentials().isEmpty() ? reply : reply.secret();
    }

    /** Clients may use the signature of a read again for some seconds: for other ranges of the object. */
    private static Reply sign(StorageAccess access, Call call) {
        RemoteSignRequest request = IcebergJson.request(call, RemoteSignRequest.class);
        Reply reply = IcebergJson.reply(access.sign(call.caller(), call.table(), request));
        return StorageAccess.isReuse(request) ? reply.with("Cache-Control", "private") : reply.secret();
    }

    private Reply updateTable(Call call) {
        UpdateTableRequest request = IcebergJson.request(call, UpdateTableRequest.class);
        TableIdentifier table = call.table();
        UpdateTableRequest checked = stamped(rules.checkCommit(table, checked(call.caller(), table, request)));
        Optional<UsageJournal> journal = UsageUpdate.journal(request);
        return locks.locked(table, () -> {
            journal.ifPresent(next -> usage.beforeCommit(table, UsageUpdate.tableUuid(request), next));
            try {
                LoadTableResponse response = CatalogHandlers.updateTable(catalog, table, checked);
                metrics.commit();
                // Also without new usage: a reader would take the table with other metadata for one with missed usage.
                usage.committed(table, response.tableMetadata());
                return committed(call, response);
            } catch (CommitFailedException | AlreadyExistsException e) {
                TableMetadata current =
                        ((BaseTable) catalog.loadTable(table)).operations().current();
                if (!RepeatedCommit.isRepeated(request, current)) {
                    metrics.conflict();
                    throw e;
                }
                metrics.repeatedCommit();
                usage.committed(table, current);
                return committed(
                        call,
                        LoadTableResponse.builder().withTableMetadata(current).build());
            }
        });
    }

    /** The response to a commit: the resulting table, unless the client does not need it. */
    private static Reply committed(Call call, LoadTableResponse response) {
        return call.header(Preference.HEADER).equals(Optional.of(Preference.MINIMAL))
                ? Reply.noContent().with(Preference.APPLIED_HEADER, Preference.MINIMAL)
                : IcebergJson.reply(response);
    }

    /** What only people and the query service are held to. The commits of other services cost nothing more. */
    private UpdateTableRequest checked(Caller caller, TableIdentifier table, UpdateTableRequest request) {
        if (caller.isPerson()) {
            return personCommits.checked(table, request);
        }
        if (caller.service().equals(Optional.of(ServiceRole.QUERY))) {
            return deletesOnly.checked(table, request);
        }
        return request;
    }

    /** The commit with this service's time for its snapshots, regardless of the clients' clocks. */
    private static UpdateTableRequest stamped(UpdateTableRequest request) {
        long now = System.currentTimeMillis();
        List<MetadataUpdate> updates = new ArrayList<>();
        for (MetadataUpdate update : request.updates()) {
            updates.add(
                    update instanceof MetadataUpdate.AddSnapshot added
                            ? new MetadataUpdate.AddSnapshot(TableTimes.committedAt(now, added.snapshot()))
                            : update);
        }
        return new UpdateTableRequest(request.requirements(), updates);
    }

    private Reply dropTable(Call call) {
        TableIdentifier table = call.table();
        return locks.locked(table, () -> {
            usage.settle(table);
            CatalogHandlers.dropTable(catalog, table);
            return Reply.noContent();
        });
    }

    private Reply renameTable(Call call) {
        RenameTableRequest request = IcebergJson.request(call, RenameTableRequest.class);
        checkExists(request.destination().namespace());
        rules.checkRename(request.source(), request.destination());
        return locks.locked(request.source(), () -> {
            // Rows under the old name are billed under it
            usage.settle(request.source());
            CatalogHandlers.renameTable(catalog, request);
            return Reply.noContent();
        });
    }

    private void checkExists(Namespace namespace) {
        if (!catalog.namespaceExists(namespace)) {
            throw new NoSuchNamespaceException("Namespace does not exist: %s", namespace);
        }
    }
}
