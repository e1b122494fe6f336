package io.cordwood.catalog.server;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.io.StoreRequests;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.protocol.CatalogJson;
import io.cordwood.catalog.server.http.Authenticator;
import io.cordwood.catalog.server.http.JsonReply;
import io.cordwood.catalog.server.http.Permission;
import io.cordwood.catalog.server.http.Refusals;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.http.ServiceHandler;
import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.catalog.server.metrics.StorageMetrics;
import io.cordwood.catalog.server.storage.StorageAccess;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.UserStore;
import io.cordwood.catalog.server.table.ArchivedCopies;
import io.cordwood.catalog.server.table.DeletesOnly;
import io.cordwood.catalog.server.table.OwnLocationCatalog;
import io.cordwood.catalog.server.table.PersonCommits;
import io.cordwood.catalog.server.table.TableLocks;
import io.cordwood.catalog.server.table.TableProvisioning;
import io.cordwood.catalog.server.table.TableRules;
import io.cordwood.catalog.server.table.TenantTables;
import io.cordwood.catalog.server.table.TenantTombstones;
import io.cordwood.catalog.server.table.UsageRollUp;
import io.cordwood.http.HttpServers;
import io.cordwood.http.HttpSettings;
import io.cordwood.http.Reply;
import io.cordwood.identity.CertificateMetrics;
import io.cordwood.identity.ServiceRole;
import io.cordwood.options.Program;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The catalog service: Iceberg's REST catalog and Cordwood's own endpoints over one database. Thread-safe.
 *
 * <p>It has no state of its own, so several may run over one PostgreSQL database.
 */
public final class CatalogServer implements AutoCloseable {
    private final Database database;
    private final OwnLocationCatalog catalog;
    private final UsageRollUp usage;
    private final ArchivedCopies copies;
    private final Identity identity;
    private final Optional<StorageAccess> storage;
    private final HttpServers servers;

    private CatalogServer(
            Database database,
            OwnLocationCatalog catalog,
            UsageRollUp usage,
            ArchivedCopies copies,
            Identity identity,
            Optional<StorageAccess> storage,
            HttpServers servers) {
        this.database = database;
        this.catalog = catalog;
        this.usage = usage;
        this.copies = copies;
        this.identity = identity;
        this.storage = storage;
        this.servers = servers;
    }

    /**
     * Starts the service and returns once it serves requests.
     *
     * @throws IOException if it cannot listen on an address, or read a file of authentication or TLS
     * @throws RuntimeException if the database cannot be opened
     */
    public static CatalogServer start(CatalogServerOptions options) throws IOException {
        Database database = Database.open(options.jdbcUrl());
        OwnLocationCatalog catalog;
        try {
            catalog = OwnLocationCatalog.open(
                    options.jdbcUrl(), options.warehouse(), options.catalogProperties(), database);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        ServiceMetrics metrics = new ServiceMetrics();
        ExpiryClock clock = new ExpiryClock(database, InstantSource.system(), System::nanoTime);
        UsageRollUp usage = new UsageRollUp(catalog.io(), database, metrics, InstantSource.system(), clock);
        ArchivedCopies copies = new ArchivedCopies(catalog.io(), options.warehouse());
        try {
            Identity identity = Identity.open(options, database, InstantSource.system());
            Optional<StorageAccess> storage = storage(options, database, catalog);
            Route health = health(database);
            List<Route> watching = List.of(health, metrics(database, usage, metrics, options.tlsKeystore()));
            List<Route> routes = routes(catalog, options, database, usage, copies, clock, metrics, identity, storage);
            routes.addAll(identity.isOn() ? List.of(health) : watching);
            HttpServers servers = HttpServers.start(
                    new HttpSettings(options.host(), options.port(), options.tlsKeystore(), options.metricsPort()),
                    new ServiceHandler(routes, identity.authenticator(), identity.audit(), metrics),
                    new ServiceHandler(watching, Authenticator.OPEN, Refusals.NONE, metrics));
            usage.start();
            copies.start();
            identity.start(clock);
            return new CatalogServer(database, catalog, usage, copies, identity, storage, servers);
        } catch (IOException | RuntimeException e) {
            usage.close();
            copies.close();
            database.close();
            catalog.close();
            throw e;
        }
    }

    /** Without authentication, a service that signs would give away all tables. */
    private static Optional<StorageAccess> storage(
            CatalogServerOptions options, Database database, OwnLocationCatalog catalog) {
        if (options.authentication().isEmpty() || !S3Settings.isS3(options.warehouse())) {
            return Optional.empty();
        }
        return Optional.of(new StorageAccess(
                S3Settings.of(options.catalogProperties()),
                options.warehouse(),
                options.storageRole(),
                database,
                catalog.io()));
    }

    private static List<Route> routes(
            OwnLocationCatalog catalog,
            CatalogServerOptions options,
            Database database,
            UsageRollUp usage,
            ArchivedCopies copies,
            ExpiryClock clock,
            ServiceMetrics metrics,
            Identity identity,
            Optional<StorageAccess> storage) {
        TableRules rules = new TableRules(options.warehouse());
        Map<String, String> clientProperties =
                S3Settings.of(options.catalogProperties()).properties();
        TableLocks locks = new TableLocks();
        List<Route> routes = new ArrayList<>();
        routes.addAll(new IcebergRoutes(
                        catalog,
                        rules,
                        new PersonCommits(catalog, catalog.io()),
                        new DeletesOnly(catalog, catalog.io()),
                        locks,
                        usage,
                        metrics,
                        clientProperties,
                        storage)
                .routes());
        routes.addAll(
                new StreamRoutes(database, catalog, new TableProvisioning(catalog, database, locks, usage), copies)
                        .routes());
        routes.addAll(new ColumnRoutes(database, usage).routes());
        routes.addAll(new RegistryRoutes(database).routes());
        routes.addAll(new AlertRoutes(database, identity.audit()).routes());
        routes.addAll(new PipelineRoutes(database, identity.audit()).routes());
        routes.addAll(new DeletionRoutes(database).routes());
        TenantTables tenantTables = new TenantTables(database, catalog, locks, usage);
        routes.addAll(new TenantDeletionRoutes(
                        database,
                        catalog,
                        tenantTables,
                        new TenantTombstones(catalog.io(), options.warehouse()),
                        identity.revocations(),
                        identity.audit(),
                        InstantSource.system(),
                        clock)
                .routes());
        routes.add(new Route(
                "GET",
                "/cordwood/v1/time",
                Permission.OPERATOR.or(ServiceRole.COMPACTOR),
                call -> JsonReply.of(CatalogJson.timeToJson(clock.time()))));
        routes.addAll(new UsageRoutes(database, usage).routes());
        routes.addAll(identity.routes());
        return routes;
    }

    private static Route health(Database database) {
        return new Route("GET", "/health", Permission.NONE, call -> {
            database.read(UserStore::isOpen);
            return JsonReply.of(Json.object().put("status", "up"));
        });
    }

    private static Route metrics(
            Database database, UsageRollUp usage, ServiceMetrics metrics, Optional<Path> tlsKeystore) {
        return new Route(
                "GET",
                "/metrics",
                Permission.NONE,
                call -> Reply.text(metrics.toPrometheus()
                        + usage.toPrometheus()
                        + database.read(StorageMetrics::toPrometheus)
                        + StoreRequests.ofProcess().toPrometheus()
                        + CertificateMetrics.toPrometheus(tlsKeystore)));
    }

    /** Address of the service. */
    public URI uri() {
        return servers.uri();
    }

    /** Address of the metrics, if they have a port of their own. */
    public Optional<URI> metricsUri() {
        return servers.metricsUri();
    }

    /** Stops after the requests under way, and closes the database. */
    @Override
    public void close() {
        try {
            servers.close();
        } finally {
            identity.close();
            storage.ifPresent(StorageAccess::close);
            usage.close();
            copies.close();
            database.close();
            catalog.close();
        }
    }

    /** Runs the service until the process is asked to stop. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(Program.run("catalog", new Run(), Set.of(IOException.class, RuntimeException.class), arguments));
    }

    @Command(name = "CatalogServer", mixinStandardHelpOptions = true, description = "Runs the catalog service.")
    private static final class Run implements Callable<Integer> {
        @Mixin
        private CatalogServerFlags flags;

        @Override
        public Integer call() throws IOException, InterruptedException {
            CatalogServer service = start(flags.options());
            Runtime.getRuntime().addShutdownHook(new Thread(service::close, "catalog-shutdown"));
            System.out.println("catalog: listening on " + service.uri());
            service.servers.join();
            return 0;
        }
    }
}
