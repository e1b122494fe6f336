package io.cordwood.catalog.server;

import io.cordwood.catalog.commit.TableTimes;
import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.Reply;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.http.Route.Permission;
import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.catalog.server.table.RepeatedCommit;
import io.cordwood.catalog.server.table.TableLocks;
import io.cordwood.catalog.server.table.TableRules;
import io.cordwood.catalog.server.table.UsageRollUp;
import io.cordwood.catalog.server.table.UsageUpdate;
import io.cordwood.catalog.usage.UsageJournal;
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
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;

/**
 * Iceberg's REST catalog under {@code /v1}. Thread-safe.
 *
 * <p>A grant on a namespace lets a user read it. Changes need an operator, and obey {@link TableRules}. Dropping a
 * table leaves its files alone, with or without a request to purge.
 */
final class IcebergRoutes {
    private static final String NAMESPACES = "/v1/namespaces";
    private static final String NAMESPACE = NAMESPACES + "/{namespace}";
    private static final String TABLES = NAMESPACE + "/tables";
    private static final String TABLE = TABLES + "/{table}";

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
    private final TableLocks locks;
    private final UsageRollUp usage;
    private final ServiceMetrics metrics;
    private final Map<String, String> clientProperties;

    /** @param clientProperties configuration for clients that they may override */
    IcebergRoutes(
            JdbcCatalog catalog,
            TableRules rules,
            TableLocks locks,
            UsageRollUp usage,
            ServiceMetrics metrics,
            Map<String, String> clientProperties) {
        this.catalog = catalog;
        this.rules = rules;
        this.locks = locks;
        this.usage = usage;
        this.metrics = metrics;
        this.clientProperties = Map.copyOf(clientProperties);
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(new Route("GET", "/v1/config", Permission.KNOWN, call -> config()));
        routes.add(new Route("GET", NAMESPACES, Permission.KNOWN, this::listNamespaces));
        routes.add(new Route("POST", NAMESPACES, Permission.OPERATOR, this::createNamespace));
        routes.add(new Route(
                "GET",
                NAMESPACE,
                Permission.NAMESPACE,
                call -> IcebergJson.reply(CatalogHandlers.loadNamespace(catalog, call.namespace()))));
        routes.add(new Route("HEAD", NAMESPACE, Permission.NAMESPACE, call -> {
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
        routes.add(new Route("GET", TABLES, Permission.NAMESPACE, this::listTables));
        routes.add(new Route("POST", TABLES, Permission.OPERATOR, this::createTable));
        routes.add(new Route("GET", TABLE, Permission.NAMESPACE, this::loadTable));
        routes.add(new Route("HEAD", TABLE, Permission.NAMESPACE, call -> {
            CatalogHandlers.tableExists(catalog, call.table());
            return Reply.noContent();
        }));
        routes.add(new Route("POST", TABLE, Permission.OPERATOR, this::updateTable));
        routes.add(new Route("DELETE", TABLE, Permission.OPERATOR, this::dropTable));
        routes.add(new Route("POST", TABLE + "/metrics", Permission.NAMESPACE, call -> Reply.noContent()));
        routes.add(new Route("POST", "/v1/tables/rename", Permission.OPERATOR, this::renameTable));
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
        ListNamespacesResponse all = call.parameter("pageSize")
                .map(size -> CatalogHandlers.listNamespaces(
                        catalog, parent, call.parameter("pageToken").orElse(null), size))
                .orElseGet(() -> CatalogHandlers.listNamespaces(catalog, parent));
        return IcebergJson.reply(ListNamespacesResponse.builder()
                .addAll(all.namespaces().stream().filter(call.caller()::sees).toList())
                .nextPageToken(all.nextPageToken())
                .build());
    }

    private Reply createNamespace(Call call) {
        CreateNamespaceRequest request = IcebergJson.request(call, CreateNamespaceRequest.class);
        rules.checkNamespace(request.namespace());
        return IcebergJson.reply(CatalogHandlers.createNamespace(catalog, request));
    }

    private Reply listTables(Call call) {
        return IcebergJson.reply(call.parameter("pageSize")
                .map(size -> CatalogHandlers.listTables(
                        catalog, call.namespace(), call.parameter("pageToken").orElse(null), size))
                .orElseGet(() -> CatalogHandlers.listTables(catalog, call.namespace())));
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
        return IcebergJson.reply(CatalogHandlers.loadTable(catalog, call.table(), mode));
    }

    private Reply updateTable(Call call) {
        UpdateTableRequest request = IcebergJson.request(call, UpdateTableRequest.class);
        TableIdentifier table = call.table();
        UpdateTableRequest checked = stamped(rules.checkCommit(table, request));
        Optional<UsageJournal> journal = UsageUpdate.journal(request);
        return locks.locked(table, () -> {
            journal.ifPresent(next -> usage.beforeCommit(table, UsageUpdate.tableUuid(request), next));
            try {
                LoadTableResponse response = CatalogHandlers.updateTable(catalog, table, checked);
                metrics.commit();
                // Also without new usage: a reader would take the table with other metadata for one with missed usage.
                usage.committed(table, response.tableMetadata());
                return IcebergJson.reply(response);
            } catch (CommitFailedException | AlreadyExistsException e) {
                TableMetadata current =
                        ((BaseTable) catalog.loadTable(table)).operations().current();
                if (!RepeatedCommit.isRepeated(request, current)) {
                    metrics.conflict();
                    throw e;
                }
                metrics.repeatedCommit();
                usage.committed(table, current);
                return IcebergJson.reply(
                        LoadTableResponse.builder().withTableMetadata(current).build());
            }
        });
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
